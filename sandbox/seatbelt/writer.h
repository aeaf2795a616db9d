/* A profile while it is written. Paths go into its parameters, so its text does not depend on them. */
#ifndef ZS_SANDBOX_SEATBELT_WRITER_H
#define ZS_SANDBOX_SEATBELT_WRITER_H

#include "seatbelt/profile.h"

struct zs_seatbelt_writer {
	struct zs_seatbelt_profile profile;
	size_t len, room;      /* of its text */
	size_t parameter_room; /* of its parameters, in pointers */
	int failure;           /* the first error, a negative errno; after it nothing is written */
};

/* Makes sure that there is a list of parameters, even an empty one. */
void zs_seatbelt_begin(struct zs_seatbelt_writer *writer);

/* Writes a constant part of the profile. */
void zs_seatbelt_put(struct zs_seatbelt_writer *writer, const char *text);
void zs_seatbelt_print(struct zs_seatbelt_writer *writer, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Writes " (name (param "P7"))", where P7 stands for the value, which it copies. NULL: memory for it was missing. */
void zs_seatbelt_put_filter(struct zs_seatbelt_writer *writer, const char *name, const char *value);

/* Writes a literal filter for the place, and one for the name that programs use. */
void zs_seatbelt_put_forms(struct zs_seatbelt_writer *writer, const char *place);

#endif
