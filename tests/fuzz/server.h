/* The parts of the library that is preloaded into process 1 of the jail. */
#ifndef ZS_FUZZ_SERVER_H
#define ZS_FUZZ_SERVER_H

/* Answers each text with the commands that bash's parser makes of it, as records of words. */
_Noreturn void zs_serve_parser(void);

#endif
