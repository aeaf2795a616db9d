/* The trace of a run of the marker: one record appended to ZS_JAIL_LOG. Its length, then NUL-terminated texts: the path
 * that was executed, the working directory, and the arguments. */
#ifndef ZS_FUZZ_RECORD_H
#define ZS_FUZZ_RECORD_H

/* 0, or -1. */
int zs_record(const char *path, char *const *argv);

#endif
