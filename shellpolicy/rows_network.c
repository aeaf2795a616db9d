/* Commands that talk to other hosts. */
#include "rows.h"

#include "classify.h"

// clang-format off
ZS_TABLE(network) = {
	{ .names = "curl",
		.options = "-o=w --output=w -O!w --remote-name!w --remote-name-all!w -J!w --remote-header-name!w "
			"-D=w --dump-header=w -c=w --cookie-jar=w --trace=w --trace-ascii=w --stderr=w "
			"--libcurl=w --etag-save=w --output-dir=w --hsts=w --alt-svc=w -w=d --write-out=d -K=f "
			"--config=f -d=d --data=d --data-binary=d --data-raw=d --data-urlencode=d -F=d --form=d "
			"--form-string=d -H=d --header=d -X=d --request=d -u=d --user=d -A=d --user-agent=d -e=d "
			"--referer=d -b=d --cookie=d -T=r --upload-file=r -x=d --proxy=d -m=d --max-time=d "
			"--connect-timeout=d --retry=d --retry-delay=d --retry-max-time=d -r=d --range=d -C=d "
			"--continue-at=d -y=d -Y=d -z=d -E=d --cert=d --key=d --cacert=d --capath=d --resolve=d "
			"--connect-to=d --interface=d --limit-rate=d -P=d -Q=d -t=d -U=d --json=d --url=d "
			"--max-redirs=d --unix-socket=d --dns-servers=d --ciphers=d --tls-max=d --pinnedpubkey=d "
			"--proto=d --variable=d -V!h --version!h -h?h --help?h -M!h --manual!h", .operands = "d*",
		.traits = ZS_ROW_NETWORK },
	{ .names = "wget",
		.options = "-O=W --output-document=W -o=w --output-file=w -a=a --append-output=a --spider!r -i=r "
			"--input-file=r -P=w --directory-prefix=w --save-cookies=w --warc-file=w --rejected-log=w "
			"-t=d --tries=d -T=d --timeout=d -U=d --user-agent=d --header=d --post-data=d "
			"--post-file=r --method=d --body-data=d -w=d --wait=d -Q=d --quota=d -e=d --execute=d "
			"-l=d --level=d -A=d -R=d -D=d -I=d -X=d -B=d --base=d --user=d --password=d "
			"--limit-rate=d --use-askpass=c -V!h --version!h -h!h --help!h", .operands = "d*",
		.traits = ZS_ROW_NETWORK | ZS_ROW_WRITES },
	{ .names = "aria2c|axel|lftp|ftp|tftp|sftp|ncftp|rclone|yt-dlp|youtube-dl|wget2",
		.options = "--version!h --help!h -V!h", .traits = ZS_ROW_NETWORK | ZS_ROW_WRITES },
	{ .names = "scp", .options = "-S=c -o=o -F=d -P=d -i=d -c=d -l=d -J=d -D=d -X=d", .operands = "r*w",
		.traits = ZS_ROW_NETWORK },
	{ .names = "http|https|httpie|xh|xhs", .options = "-o=w --output=w -d!w --download!w --session=w",
		.operands = "d*", .traits = ZS_ROW_NETWORK },
	{ .names = "ping|ping6|traceroute|tracepath|mtr|dig|host|nslookup|whois|nmap|telnet|ab|wrk|hey|grpcurl|"
			"websocat|redis-cli|whatweb|drill|ssh-keyscan", .traits = ZS_ROW_NETWORK },
	{ .of = "openssl", .names = "s_client", .traits = ZS_ROW_NETWORK },
	{ .names = "nc|ncat|netcat",
		.options = "-e=c -c=c --exec=c --sh-exec=c -o=w --output=w -w=d -p=d -s=d -i=d -q=d -x=d -X=d -z "
			"-v -n -l -k -u", .operands = "d*", .traits = ZS_ROW_NETWORK },
	{ .names = "socat", .options = "-V!h -h!h", .traits = ZS_ROW_NETWORK | ZS_ROW_WRITES },
	{ .names = "tcpdump|tshark", .options = "-w=w -r=r -i=d -c=d -D!h -z=c", .operands = "d*",
		.traits = ZS_ROW_NETWORK },
	{ .names = "ssh-keygen",
		.options = "-l!r -E=d -f=d -F!r -B!r -y!r -e!r -H!w -R=d -t=d -b=d -C=d -N=d -P=d -q",
		.operands = "d*", .traits = ZS_ROW_WRITES },
	{ .names = "ssh-add|ssh-agent|ssh-copy-id|mail|mailx|sendmail|mutt", .options = "-l!r -L!r",
		.traits = ZS_ROW_NETWORK | ZS_ROW_WRITES },
	{ .names = "openssl", .operands = "d*", .traits = ZS_ROW_SUBCOMMANDS | ZS_ROW_LONG_DASH },
	{ .of = "openssl",
		.names = "dgst|x509|verify|asn1parse|base64|enc|sha256|sha1|md5|crl|pkcs12|pkcs8|rsa|ec|pkey|req|"
			"rand|list|version|ciphers|speed|prime|passwd|errstr",
		.options = "-out=w -in=r -keyout=w -writerand=w -noout", .operands = "d*",
		.traits = ZS_ROW_LONG_DASH },
	{ .of = "openssl", .names = "genrsa|genpkey|ecparam|dhparam|gendsa|ca", .options = "-out=w -keyout=w -noout",
		.operands = "d*", .traits = ZS_ROW_LONG_DASH },
};
// clang-format on
ZS_TABLE_COUNT(network);
