/* A profile in the making. Paths go into its parameters, so its text is the same whatever they are called. */
#ifndef ZS_SANDBOX_SEATBELT_WRITER_H
#define ZS_SANDBOX_SEATBELT_WRITER_H

#include "seatbelt/profile.h"

struct zs_seatbelt_writer {
	struct zs_seatbelt_profile profile;
	size_t len, room;      /* of its text */
	size_t parameter_room; /* of its parameters, in pointers */
	int failure;           /* the first one, a negative errno; nothing is written any more */
};

/* Makes sure that there is a list of parameters, if an empty one. */
void zs_seatbelt_begin(struct zs_seatbelt_writer *writer);

/* A part of the profile's own wording. */
void zs_seatbelt_put(struct zs_seatbelt_writer *writer, const char *text);
void zs_seatbelt_print(struct zs_seatbelt_writer *writer, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* " (name (param "P7"))", where P7 stands for the value. Copies it. NULL: there was no memory for it. */
void zs_seatbelt_put_filter(struct zs_seatbelt_writer *writer, const char *name, const char *value);

/* A literal filter for the place, and one for what programs call it. */
void zs_seatbelt_put_forms(struct zs_seatbelt_writer *writer, const char *place);

#endif
