#include "seatbelt/writer.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "seatbelt/place.h"

static void writer_fail(struct zs_seatbelt_writer *writer, int cause)
{
	if (!writer->failure)
		writer->failure = -cause;
}

void zs_seatbelt_put(struct zs_seatbelt_writer *writer, const char *text)
{
	zs_seatbelt_print(writer, "%s", text);
}

void zs_seatbelt_print(struct zs_seatbelt_writer *writer, const char *format, ...)
{
	va_list arguments;
	int more;

	va_start(arguments, format);
	more = vsnprintf(NULL, 0, format, arguments);
	va_end(arguments);
	if (!writer->failure && writer->len + (size_t)more >= writer->room) {
		size_t room = 2 * (writer->len + (size_t)more + 1);
		char *grown = realloc(writer->profile.text, room);

		if (grown) {
			writer->profile.text = grown;
			writer->room = room;
		} else
			writer_fail(writer, ENOMEM);
	}
	if (writer->failure)
		return;
	va_start(arguments, format);
	vsnprintf(writer->profile.text + writer->len, writer->room - writer->len, format, arguments);
	va_end(arguments);
	writer->len += (size_t)more;
}

static int make_room(struct zs_seatbelt_writer *writer, size_t pointers)
{
	const char **grown;

	if (pointers <= writer->parameter_room)
		return 0;
	grown = realloc(writer->profile.parameters, 2 * pointers * sizeof *grown);
	if (!grown)
		return -ENOMEM;
	writer->profile.parameters = grown;
	writer->parameter_room = 2 * pointers;
	return 0;
}

void zs_seatbelt_begin(struct zs_seatbelt_writer *writer)
{
	if (make_room(writer, 1) < 0)
		writer_fail(writer, ENOMEM);
	else
		writer->profile.parameters[0] = NULL;
}

/* Returns the number of the parameter that holds the value. */
static size_t parameter(struct zs_seatbelt_writer *writer, const char *value)
{
	struct zs_seatbelt_profile *profile = &writer->profile;
	size_t index = profile->parameter_count;
	char name[16], *own_name, *own_value;

	for (size_t i = 0; i < index; i++)
		if (strcmp(profile->parameters[2 * i + 1], value) == 0)
			return i;
	if (index == ZS_SEATBELT_PARAMETERS_MAX) {
		writer_fail(writer, E2BIG);
		return index;
	}
	snprintf(name, sizeof name, "P%zu", index);
	own_name = strdup(name);
	own_value = strdup(value);
	if (!own_name || !own_value || make_room(writer, 2 * index + 3) < 0) {
		free(own_name);
		free(own_value);
		writer_fail(writer, ENOMEM);
		return index;
	}
	profile->parameters[2 * index] = own_name;
	profile->parameters[2 * index + 1] = own_value;
	profile->parameters[2 * index + 2] = NULL;
	profile->parameter_count++;
	return index;
}

void zs_seatbelt_put_filter(struct zs_seatbelt_writer *writer, const char *name, const char *value)
{
	size_t index;

	if (!value)
		writer_fail(writer, ENOMEM);
	if (writer->failure)
		return;
	index = parameter(writer, value);
	zs_seatbelt_print(writer, " (%s (param \"P%zu\"))", name, index);
}

void zs_seatbelt_put_forms(struct zs_seatbelt_writer *writer, const char *place)
{
	ZS_AUTO_FREE char *linked = NULL;

	if (zs_seatbelt_through_link(place, &linked) < 0)
		writer_fail(writer, ENOMEM);
	zs_seatbelt_put_filter(writer, "literal", place);
	if (linked)
		zs_seatbelt_put_filter(writer, "literal", linked);
}
