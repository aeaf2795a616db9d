/* zs.hpp: zs_sandbox.h, zs_shim.h and zs_shellpolicy.h for C++11 and later. Nothing to compile: link zs.
 *
 *	int main(int argc, char **argv)
 *	{
 *		zs_exec_shim(argc, argv);       first: a no-op unless this process is the shim
 *		…
 *		if (!zs::vet(text).allowed) …
 *		zs::sandbox sandbox(zs::policy::agent("/home/me/project"));
 *		pid_t pid = sandbox.spawn({ "bash", "-c", text });
 *
 * If a policy cannot be enforced, the call throws a zs::error, and nothing has run. Objects own their content; they can
 * be moved and not copied. Only one thread at a time may use a policy. Any number of threads may use a sandbox.
 */
#ifndef ZS_HPP
#define ZS_HPP

#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "zs_sandbox.h"
#include "zs_shellpolicy.h"
#include "zs_shim.h"

extern "C" char **environ;

namespace zs
{

/* what() is the line of zs_error_format(); code() is a positive errno. */
class error : public std::runtime_error
{
      public:
	explicit error(const zs_error &cause) : std::runtime_error(line(cause)), code_(cause.cause)
	{
	}
	int code() const noexcept
	{
		return code_;
	}

      private:
	static std::string line(const zs_error &cause)
	{
		char text[2048];

		zs_error_format(&cause, text, sizeof text);
		return text;
	}

	int code_;
};

namespace detail
{

inline void check(int result, const zs_error &cause)
{
	if (result < 0)
		throw error(cause);
}

/* Words as execve(2) takes them: pointers, and then NULL. A NUL in a word would end it early, so it is an error. */
class pointers
{
      public:
	explicit pointers(const std::vector<std::string> &words)
	{
		for (const std::string &word : words) {
			if (word.find('\0') != std::string::npos)
				throw std::invalid_argument("zs: there is a NUL in a word");
			list_.push_back(const_cast<char *>(word.c_str()));
		}
		list_.push_back(nullptr);
	}
	char *const *get() const
	{
		return list_.data();
	}

      private:
	std::vector<char *> list_;
};

template <typename T, void (*free)(T *)> struct deleter {
	void operator()(T *object) const
	{
		free(object);
	}
};
template <typename T, void (*free)(T *)> using handle = std::unique_ptr<T, deleter<T, free>>;

inline std::vector<std::string> strings(char *const *list)
{
	std::vector<std::string> words;

	for (; list && *list; list++)
		words.emplace_back(*list);
	return words;
}

} // namespace detail

using words = std::vector<std::string>;

/* Returns this process's variables as "NAME=value". */
inline words environment()
{
	return detail::strings(environ);
}

/* The files, hosts and variables that a command may reach. zs_sandbox.h describes the calls. get() is for calls of C
 * that have no method here. */
class policy
{
      public:
	static policy agent(const std::string &workspace, const words &env = environment())
	{
		return preset(zs_policy_default, workspace, env);
	}
	static policy verify(const std::string &workspace, const words &env = environment())
	{
		return preset(zs_policy_verify, workspace, env);
	}
	static policy from_json(const std::string &text, const words &env = environment())
	{
		zs_error cause;
		zs_policy *made = nullptr;

		detail::check(zs_policy_from_json(text.data(), text.size(), detail::pointers(env).get(), &made, &cause),
			cause);
		return policy(made);
	}
	policy &path(const std::string &path, zs_access access)
	{
		zs_error cause;

		detail::check(zs_policy_add_path(get(), path.c_str(), access, &cause), cause);
		return *this;
	}
	policy &host(const std::string &host)
	{
		zs_error cause;

		detail::check(zs_policy_add_host(get(), host.c_str(), &cause), cause);
		return *this;
	}
	policy &limit(zs_limit limit, uint64_t value)
	{
		zs_error cause;

		detail::check(zs_policy_set_limit(get(), limit, value, &cause), cause);
		return *this;
	}
	zs_policy *get() const
	{
		return handle_.get();
	}

      private:
	using make = int(const char *, char *const *, zs_policy **, zs_error *);

	explicit policy(zs_policy *made) : handle_(made)
	{
	}
	static policy preset(make *make, const std::string &workspace, const words &env)
	{
		zs_error cause;
		zs_policy *made = nullptr;

		detail::check(make(workspace.c_str(), detail::pointers(env).get(), &made, &cause), cause);
		return policy(made);
	}

	detail::handle<zs_policy, zs_policy_free> handle_;
};

/* The argv and the whole environment that make any spawn call start a command confined. */
struct command {
	std::string path;
	words argv, env;
};

class sandbox
{
      public:
	explicit sandbox(const policy &policy)
	{
		zs_error cause;
		zs_sandbox *made = nullptr;

		detail::check(zs_sandbox_new(policy.get(), &made, &cause), cause);
		handle_.reset(made);
	}
	command wrap(const words &argv, const words &env = environment()) const
	{
		zs_error cause;
		zs_wrapped wrapped;

		detail::check(
			zs_wrap(get(), detail::pointers(argv).get(), detail::pointers(env).get(), &wrapped, &cause),
			cause);
		const std::unique_ptr<zs_wrapped, void (*)(zs_wrapped *)> owned(&wrapped, zs_wrapped_free);
		return command{ wrapped.path, detail::strings(wrapped.argv), detail::strings(wrapped.envp) };
	}
	/* The caller waits for the pid. */
	pid_t spawn(const words &argv, const words &env = environment(),
		const zs_spawn_options &options = zs_spawn_options()) const
	{
		zs_error cause;
		pid_t pid = -1;

		detail::check(zs_spawn(get(), detail::pointers(argv).get(), detail::pointers(env).get(), &options, &pid,
				      &cause),
			cause);
		return pid;
	}
	zs_sandbox *get() const
	{
		return handle_.get();
	}

      private:
	detail::handle<zs_sandbox, zs_sandbox_free> handle_;
};

struct decision {
	bool allowed;
	std::string code, reason, hint; /* empty when allowed */
};

/* Never throws because of the text: a text that cannot be read is blocked. */
inline decision vet(const std::string &text, zs_profile profile = ZS_PROFILE_STRICT)
{
	const detail::handle<zs_vetter, zs_vetter_free> vetter(zs_vetter_new());
	zs_vet_options options = zs_vet_options();

	options.profile = profile;
	const zs_report *report = zs_vet(vetter.get(), text.data(), text.size(), &options);
	if (report->verdict == ZS_ALLOW)
		return decision{ true, std::string(), std::string(), std::string() };
	return decision{ false, zs_risk_name(report->code), report->reason, report->hint };
}

} // namespace zs

#endif
