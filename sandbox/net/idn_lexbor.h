/* Included before everything else where lexbor is compiled or called: see idn_lexbor.c. */
#ifndef ZS_SANDBOX_NET_IDN_LEXBOR_H
#define ZS_SANDBOX_NET_IDN_LEXBOR_H

#define LEXBOR_STATIC
#define lexbor_malloc zs_lexbor_malloc
#define lexbor_realloc zs_lexbor_realloc
#define lexbor_free zs_lexbor_free
#define lxb_encoding_decode_valid_utf_8_single zs_lexbor_decode
#define lxb_encoding_decode_utf_8_length zs_lexbor_decode_length
#define lxb_encoding_encode_utf_8_single zs_lexbor_encode
#define lxb_encoding_encode_utf_8_length zs_lexbor_encode_length

#endif
