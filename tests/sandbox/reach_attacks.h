/* Attacks on the outside: on the network in every way that a program can use it, and on other processes. */
#ifndef ZS_TESTS_SANDBOX_REACH_ATTACKS_H
#define ZS_TESTS_SANDBOX_REACH_ATTACKS_H

#define REACH_ATTACKS(X)                                                                                               \
	X(connect6)                                                                                                    \
	X(connect_mapped)                                                                                              \
	X(fast_open)                                                                                                   \
	X(mptcp)                                                                                                       \
	X(sctp)                                                                                                        \
	X(ask)                                                                                                         \
	X(ping)                                                                                                        \
	X(packet)                                                                                                      \
	X(socket_file)                                                                                                 \
	X(send_file)                                                                                                   \
	X(trace)                                                                                                       \
	X(read_memory)                                                                                                 \
	X(write_memory)                                                                                                \
	X(memory_file)                                                                                                 \
	X(kill_by_descriptor)

#define DECLARE_ATTACK(name) int attack_##name(const char *a, const char *b);
REACH_ATTACKS(DECLARE_ATTACK)

#endif
