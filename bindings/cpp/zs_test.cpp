/* Tests the parts of zs.hpp that the example does not show. Run in a folder that becomes the workspace. */
#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

#include "zs.hpp"

static int failures;

static void check(bool holds, const char *what)
{
	if (!holds) {
		std::printf("FAIL %s\n", what);
		failures++;
	}
}

static std::string here()
{
	char path[PATH_MAX];

	return getcwd(path, sizeof path) ? path : "";
}

/* Runs a wrapped command by execve(2), as another library's spawn call would. Returns its exit status. */
static int run(const zs::command &command)
{
	std::vector<char *> argv, env;
	int status = -1;

	for (const std::string &word : command.argv)
		argv.push_back(const_cast<char *>(word.c_str()));
	for (const std::string &entry : command.env)
		env.push_back(const_cast<char *>(entry.c_str()));
	argv.push_back(nullptr);
	env.push_back(nullptr);
	const pid_t pid = fork();
	if (pid == 0) {
		execve(command.path.c_str(), argv.data(), env.data());
		_exit(99);
	}
	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void wraps(const zs::sandbox &sandbox)
{
	const zs::words env = { "PATH=/usr/bin:/bin", "LD_PRELOAD=/x.so", "LANG=set" };
	const zs::command command = sandbox.wrap({ "sh", "-c", "[ $LANG = set ] && exit $1", "", "7" }, env);

	check(command.argv.size() == 6 && command.argv[4].empty(), "words, empty ones too");
	check(std::count(command.env.begin(), command.env.end(), "LD_PRELOAD=/x.so") == 0, "loader variables");
	check(run(command) == 7, "the command's own status");
	check(run(sandbox.wrap({ "test", "-e", "/etc/passwd-of-nobody" }, env)) == 1, "confined");
}

static void refuses(const zs::sandbox &sandbox)
{
	try {
		sandbox.wrap({ "touch", std::string("made\0x", 6) });
		check(false, "a NUL");
	} catch (const std::invalid_argument &) {
	}
	try {
		sandbox.spawn({});
		check(false, "no command");
	} catch (const zs::error &error) {
		check(error.code() == EINVAL, error.what());
	}
	try {
		zs::sandbox(zs::policy::agent("/no/where"));
		check(false, "no workspace");
	} catch (const zs::error &error) {
		check(error.code() == ENOENT && std::string(error.what()).find("zs: workspace: /no/where: ") == 0,
			error.what());
	}
	try {
		zs::policy::from_json("{\"version\": 1,\n\"pths\": []}");
		check(false, "a key that is none");
	} catch (const zs::error &error) {
		check(std::string(error.what()).find("pths") != std::string::npos, error.what());
	}
}

static void policies()
{
	zs::policy policy = zs::policy::verify(here());

	policy.path("/var/lib", ZS_ACCESS_READ).limit(ZS_LIMIT_WALL, 60).host("example.org");
	const zs::policy moved = std::move(policy);
	check(zs_policy_network(moved.get()) == ZS_NETWORK_HOSTS && !policy.get(), "moved");
}

static void vets()
{
	check(zs::vet("ls", ZS_PROFILE_VERIFY).allowed, "ls");
	check(zs::vet("rm -rf x", ZS_PROFILE_VERIFY).code == "write", "rm");
	check(zs::vet("cd x").code == "cd" && zs::vet("cd x", ZS_PROFILE_RELAXED).allowed, "cd");
	check(!zs::vet(std::string("ls \0", 4)).allowed, "a NUL in the text");
}

int main(int argc, char **argv)
{
	zs_exec_shim(argc, argv);
	const zs::sandbox sandbox(zs::policy::agent(here()));
	wraps(sandbox);
	refuses(sandbox);
	policies();
	vets();
	std::printf("%d failures\n", failures);
	return failures != 0;
}
