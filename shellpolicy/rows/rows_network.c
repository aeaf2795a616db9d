/* Commands that talk to other hosts. */
#include "rows/rows_table.h"

// clang-format off
ZS_TABLE(network) = {
	{ .names = "curl",
		.options = "-o=w --output=w -O!w --remote-name!w --remote-name-all!w -J!w --remote-header-name!w "
			"-D=w --dump-header=w -c=w --cookie-jar=w --trace=w --trace-ascii=w --stderr=w "
			"--libcurl=w --etag-save=w --output-dir=w --hsts=w --alt-svc=w --ssl-sessions=w "
			"--etag-compare=r --netrc-file=r --aws-sigv4=d --noproxy=d --socks5=d "
			"--socks5-hostname=d --preproxy=d --proxy-user=d --proxy-header=d --oauth2-bearer=d "
			"--request-target=d --cert-type=d --key-type=d --pass=d --max-filesize=d "
			"--speed-limit=d --speed-time=d --keepalive-time=d --local-port=d --expect100-timeout=d "
			"--time-cond=d --url-query=d --doh-url=d --engine=L -w=d --write-out=d "
			"-K=f "
			"--config=f -d=d --data=d --data-binary=d --data-raw=d --data-urlencode=d -F=d --form=d "
			"--form-string=d -H=d --header=d -X=d --request=d -u=d --user=d -A=d --user-agent=d -e=d "
			"--referer=d -b=d --cookie=d -T=r --upload-file=r -x=d --proxy=d -m=d --max-time=d "
			"--connect-timeout=d --retry=d --retry-delay=d --retry-max-time=d -r=d --range=d -C=d "
			"--continue-at=d -y=d -Y=d -z=d -E=d --cert=d --key=d --cacert=d --capath=d --resolve=d "
			"--connect-to=d --interface=d --limit-rate=d -P=d -Q=d -t=d -U=d --json=d --url=d "
			"--max-redirs=d --unix-socket=d --dns-servers=d --ciphers=d --tls-max=d --pinnedpubkey=d "
			"--proto=d --variable=d -V!h --version!h -h?h --help?h -M!h --manual!h", .operands = "d*",
		.traits = ZS_ROW_NETWORK, .grammar = ZS_GRAMMAR_CURL },
	{ .names = "wget",
		.options = "-O=W --output-document=W -o=w --output-file=w -a=a --append-output=a --spider!r -i=r "
			"--input-file=r -P=w --directory-prefix=w --save-cookies=w --warc-file=w --rejected-log=w "
			"-t=d --tries=d -T=d --timeout=d -U=d --user-agent=d --header=d --post-data=d "
			"--post-file=r --method=d --body-data=d -w=d --wait=d -Q=d --quota=d -e=d --execute=d -l=d "
			"--level=d -A=d -R=d -D=d -I=d -X=d -B=d --base=d --user=d --password=d --limit-rate=d "
			"--use-askpass=c --hsts-file=w --config=r --load-cookies=r --referer=d --max-redirect=d "
			"--ca-certificate=r --certificate=r --private-key=r --http-user=d --http-password=d "
			"--proxy-user=d --compression=d -b!w --background!w -V!h --version!h -h!h --help!h",
		.operands = "d*", .traits = ZS_ROW_NETWORK | ZS_ROW_WRITES },
	{ .names = "aria2c|axel|lftp|ftp|tnftp|tftp|sftp|ncftp|ncftpget|ncftpput|curlftpfs|sshfs|httrack|yt-dlp|"
			"youtube-dl|wget2", .options = "--version!h --help!h -V!h",
		.traits = ZS_ROW_NETWORK | ZS_ROW_WRITES },
	{ .names = "scp", .options = "-S=c -o=o -F=f -P=d -i=d -c=d -l=d -J=d -D=d -X=d", .operands = "r*w",
		.traits = ZS_ROW_NETWORK },
	{ .names = "http|https|httpie|xh|xhs", .options = "-o=w --output=w -d!w --download!w --session=w",
		.operands = "d*", .traits = ZS_ROW_NETWORK },
	{ .names = "ping|ping4|ping6|fping|arping|traceroute|traceroute6|tracepath|mtr|dig|host|nslookup|whois|telnet|"
			"grpcurl|websocat|drill|delv|kdig|dog|ssh-keyscan|httping|speedtest|speedtest-cli|iperf|"
			"iperf3|ipcalc|sipcalc|geoiplookup|nmblookup|avahi-browse|avahi-resolve|showmount|rpcinfo|"
			"snmpwalk|snmpget|ldapsearch|iftop|nethogs|bmon|vnstat|capinfos|sslscan|testssl|testssl.sh",
		.options = "--logfile=w -h!h --help!h --version!h", .operands = "d*", .traits = ZS_ROW_NETWORK },
	{ .names = "nmap|zenmap|rustscan",
		.options = "-oN=w -oX=w -oG=w -oA=w -oS=w -oM=w -oH=w -o=w -resume=w -iL=r -iR=d -exclude=d "
			"-excludefile=r -p=d -top-ports=d -script=d -script-args=d -script-args-file=r -T=d -D=d "
			"-S=d -e=d -g=d -source-port=d -datadir=d -stylesheet=d -dns-servers=d -scan-delay=d "
			"-max-retries=d -host-timeout=d -min-rate=d -max-rate=d -V!h -version!h -h!h -help!h",
		.operands = "d*", .traits = ZS_ROW_NETWORK | ZS_ROW_LONG_DASH | ZS_ROW_GLUED },
	{ .names = "ab",
		.options = "-e=w -g=w -n=d -c=d -t=d -s=d -b=d -p=r -u=r -T=d -H=d -C=d -A=d -P=d -X=d -m=d -x=d "
			"-y=d -z=d -Z=d -f=d -v=d -V!h -h!h", .operands = "d", .traits = ZS_ROW_NETWORK },
	{ .names = "wrk|wrk2|hey|oha|bombardier|vegeta|siege|h2load",
		.options = "-s=d --script=d --log-file=w --output=w -output=w --log?w --version!h -h!h --help!h",
		.operands = "d*", .traits = ZS_ROW_NETWORK },
	{ .names = "nikto|sqlmap|hydra|masscan|gobuster|ffuf|whatweb|dirb|wfuzz|subfinder|httpx|arp-scan",
		.options = "-o=w --output=w -oX=w -oG=w -oJ=w -oL=w --output-dir=w --log-brief=w --log-json=w "
			"--log-verbose=w --log-xml=w -h!h --help!h --version!h -V!h", .operands = "d*",
		.traits = ZS_ROW_NETWORK },
	{ .names = "smbclient|rpcclient|ldapadd|ldapmodify|ldapdelete|ldappasswd|ldapmodrdn|snmpset|nsupdate|rndc|"
			"exportfs|samba-tool|acme.sh|mkcert|easyrsa|tailscale|zerotier-cli|openvpn|"
			"stunnel|autossh|mosh|sshuttle|ngrok|cloudflared|croc|wormhole|magic-wormhole",
		.options = "--version!h --help!h -h!h -V!h -L!r --list!r", .operands = "d*",
		.traits = ZS_ROW_NETWORK | ZS_ROW_WRITES },
	{ .names = "certbot|cfssl", .options = "--version!h --help!h -h!h", .operands = "d*",
		.traits = ZS_ROW_SUBCOMMANDS | ZS_ROW_NETWORK },
	{ .of = "certbot", .names = "certificates|show_account|plugins|help", .operands = "d*" },
	{ .of = "cfssl", .names = "certinfo|info|ocspdump|print-defaults|scan|version", .operands = "d*" },
	{ .of = "certbot|cfssl", .names = "*", .options = "--help!h -h!h", .operands = "d*",
		.traits = ZS_ROW_NETWORK | ZS_ROW_WRITES },
	{ .names = "nc|ncat|netcat",
		.options = "-e=y -c=y --exec=y --sh-exec=y -o=w --output=w -w=d -p=d -s=d -i=d -q=d -x=d -X=d -z "
			"-v -n -l -k -u", .operands = "d*", .traits = ZS_ROW_NETWORK },
	{ .names = "socat", .options = "-V!h -h!h", .traits = ZS_ROW_NETWORK | ZS_ROW_WRITES },
	{ .names = "tcpdump",
		.options = "-w=w -r=r -i=d -c=d -C=d -G=d -W=d -s=d -F=r -V=r -B=d -E=d -j=d -M=d -m=d -Q=d -T=d -y=d "
			"-z=c -Z=d -D!h -L!h --list-interfaces!h --interface=d --count -h!h --help!h --version!h",
		.operands = "d*", .traits = ZS_ROW_NETWORK },
	{ .names = "tshark|termshark|tcpflow|sngrep",
		.options = "-w=w -O=d -o=d -r=r -R=d -i=d -c=d -a=d -b=d -B=d -d=d -e=d -E=d -F=d -f=d -G=d -H=r "
			"-j=d -J=d -K=r -s=d -T=d -t=d -u=d -U=d -W=d -X=f -y=d -Y=d -z=d -C=d --export-objects=w "
			"--export-tls-session-keys=w --log-file=w -D!h -L!h -v!h --version!h -h!h --help!h",
		.operands = "d*", .traits = ZS_ROW_NETWORK },
	{ .names = "ngrep", .options = "-O=w -I=r -F=r -n=d -A=d -s=d -S=d -W=d -c=d -P=d -d=d -V!h -h!h",
		.operands = "d*", .traits = ZS_ROW_NETWORK },
	{ .names = "dumpcap|editcap|mergecap|text2pcap|reordercap|tcpreplay|tcprewrite|ettercap|mitmdump|mitmproxy|"
			"airodump-ng|aircrack-ng", .options = "-D!h -v!h --version!h -h!h --help!h", .operands = "d*",
		.traits = ZS_ROW_NETWORK | ZS_ROW_WRITES },
	{ .names = "ssh-keygen",
		.options = "-l!r -F!r -B!r -y!r -e!r -L!r -Q!r -D=d -E=d -f=d -R=d -t=d -b=d -C=d -N=d -P=d -m=d "
			"-n=d -I=d -V=d -O=d -Y=d -s=d -Z=d -a=d -w=d -z=d -H -q -v", .operands = "d*",
		.traits = ZS_ROW_WRITES },
	{ .names = "ssh-add|ssh-agent|ssh-copy-id|mail|mailx|sendmail|mutt", .options = "-l!r -L!r",
		.traits = ZS_ROW_NETWORK | ZS_ROW_WRITES },
	/* openssl's flags are whole words, and each digest or cipher is a subcommand (openssl sha256). */
	{ .names = "openssl", .operands = "d*", .traits = ZS_ROW_SUBCOMMANDS | ZS_ROW_LONG_DASH,
		.options = "-version!h -help!h" },
	{ .of = "openssl", .names = "list|version|ciphers|speed|prime|errstr|help|info", .options = "-out=w -help!h",
		.operands = "d*", .traits = ZS_ROW_LONG_DASH },
	{ .of = "openssl", .names = "rehash|fipsinstall|srp|s_server|tsget|CA.pl", .options = "-help!h",
		.operands = "d*", .traits = ZS_ROW_LONG_DASH | ZS_ROW_WRITES },
	{ .of = "openssl", .names = "ca", .options = "-help!h -in=r -out=w -outdir=w -config=r -status=d -updatedb",
		.operands = "d*", .traits = ZS_ROW_LONG_DASH | ZS_ROW_WRITES },
	{ .of = "openssl", .names = "req",
		.options = "-help!h -in=r -out=w -keyout=w -newkey=n -writerand=w -key=r -config=r -section=d -subj=d "
			"-days=d -addext=d -inform=d -outform=d -keyform=d -passin=d -passout=d -engine=L "
			"-keygen_engine=L -provider-path=L -provider=d -pkeyopt=d -sigopt=d -CA=r -CAkey=r "
			"-set_serial=d -extensions=d -nameopt=d -reqopt=d -rand=d", .operands = "d*",
		.traits = ZS_ROW_LONG_DASH },
	{ .of = "openssl", .names = "*",
		.options = "-help!h -in=r -out=w -keyout=w -writerand=w -CAcreateserial!w -CAserial=d -certsout=w "
			"-crlout=w -cacertsout=w -extracertsout=w -chainout=w -certout=w -respout=w -reqout=w "
			"-rspout=w -sess_out=w -keylogfile=w -msgfile=w -sigout=w -genconf=w -engine=L "
			"-provider-path=L -noout -text", .operands = "d*", .traits = ZS_ROW_LONG_DASH },
};
// clang-format on
ZS_TABLE_COUNT(network);
