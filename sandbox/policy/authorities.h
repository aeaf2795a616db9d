/* Files and folders of certificate authorities, which variables name. */
#ifndef ZS_SANDBOX_AUTHORITIES_H
#define ZS_SANDBOX_AUTHORITIES_H

/* A larger file is not looked at, and not granted. */
enum { ZS_AUTHORITY_MIB_MAX = 4 };

enum zs_authority {
	ZS_AUTHORITY_NONE,
	ZS_AUTHORITY_CERTIFICATES, /* a file of certificates, and no key: everybody may read it, or it is the user's */
	ZS_AUTHORITY_PUBLIC,       /* a folder, or another file without a key: everybody may read it */
};

enum zs_authority zs_authority_of(const char *path);

#endif
