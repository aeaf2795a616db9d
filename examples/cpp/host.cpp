/* A host: vets a command line of bash, and runs it confined to a workspace. It is its own shim.
 *
 *	host /path/to/workspace 'make test 2>&1 | tail'
 *
 * c++ host.cpp $(pkg-config --cflags --libs zs) -o host
 */
#include <cstdio>
#include <iostream>
#include <sys/wait.h>

#include "zs.hpp"

static int run(const char *workspace, const char *text)
{
	const zs::decision decision = zs::vet(text);

	if (!decision.allowed) {
		std::cerr << "blocked (" << decision.code << "): " << decision.reason << "\nhint: " << decision.hint
			  << "\n";
		return 2;
	}
	const zs::sandbox sandbox(zs::policy::agent(workspace));
	const pid_t pid = sandbox.spawn({ "bash", "-c", text });
	int status;

	if (waitpid(pid, &status, 0) < 0)
		return perror("waitpid"), 1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int main(int argc, char **argv)
{
	zs_exec_shim(argc, argv);
	if (argc != 3) {
		std::cerr << "usage: host WORKSPACE COMMAND-LINE\n";
		return 64;
	}
	try {
		return run(argv[1], argv[2]);
	} catch (const zs::error &error) {
		std::cerr << error.what() << "\n";
		return ZS_EXIT_CANNOT_ENFORCE;
	}
}
