/* Commands that try to outlive their run, or to attack the processes that watch over it. */
#ifndef ZS_TESTS_SANDBOX_SESSION_ATTACKS_H
#define ZS_TESTS_SANDBOX_SESSION_ATTACKS_H

#define SESSION_ATTACKS(X)                                                                                             \
	X(on_parent)                                                                                                   \
	X(stay)                                                                                                        \
	X(daemon)                                                                                                      \
	X(crowd)                                                                                                       \
	X(chain)                                                                                                       \
	X(storm)                                                                                                       \
	X(kill_everyone)                                                                                               \
	X(open_descriptors)                                                                                            \
	X(through_proxy)                                                                                               \
	X(through_proxy_again)                                                                                         \
	X(fork_until)                                                                                                  \
	X(host_session)

#define DECLARE_ATTACK(name) int attack_##name(const char *a, const char *b);
SESSION_ATTACKS(DECLARE_ATTACK)
#undef DECLARE_ATTACK

/* Performs one of the attacks of attacks.c by its name. */
int attack_by_name(const char *name, const char *a, const char *b);

#endif
