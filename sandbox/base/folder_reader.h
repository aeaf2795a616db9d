/* Reading many folders one after the other, with as few calls as a system needs. */
#ifndef ZS_SANDBOX_FOLDER_READER_H
#define ZS_SANDBOX_FOLDER_READER_H

/* A real folder, not a link to one. A descriptor or a negative errno. */
int zs_folder_open(const char *path);

/* type: DT_… of dirent.h. Not 0: ends the reading with it. */
typedef int zs_folder_name(int folder, const char *name, unsigned char type, void *arg);

/* Calls each for every name, "." and ".." among them. *ret_cause: an errno when the folder cannot be read, else 0. */
int zs_folder_each(int folder, zs_folder_name *each, void *arg, int *ret_cause);

#endif
