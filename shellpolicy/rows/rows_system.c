/* Commands that ask or change the system: processes, devices, users, services. */
#include "rows/rows_table.h"

// clang-format off
ZS_TABLE(system) = {
	{ .names = "ls|stat|du|df|realpath|readlink|basename|dirname|which|uname|nproc|id|whoami|ps|sleep|printenv",
		.traits = ZS_ROW_NO_INPUT },
	{ .names = "dir|vdir|exa|eza|lsd|whereis|locate|"
			"plocate|mlocate|cal|ncal|uptime|hostid|arch|getconf|who|w|last|"
			"lastb|users|groups|logname|tty|pgrep|pkill|killall|killall5|skill|snice|renice|pidof|"
			"pidwait|pwdx|pstree|top|htop|btop|free|vmstat|iostat|mpstat|pidstat|sadf|lsof|fuser|lscpu|"
			"lsmem|lsblk|lsusb|lspci|lshw|lsmod|modinfo|lsns|lsipc|lsirq|lsfd|lsclocks|hwinfo|inxi|"
			"locale|usleep|tput|tset|tabs|clear|reset|stty|setterm|getent|pathchk|ldd|nm|"
			"size|readelf|objdump|addr2line|c++filt|gprof|ipcs|pmap|slabtop|findmnt|apropos|whatis|mesg|"
			"infocmp|toe|lslocks|lslogins|namei|mountpoint|sensors|acpi|lsattr|getfacl|getfattr|getcap|"
			"getsebool|getenforce|sestatus|dpkg-query|dpkg-architecture|"
			"uuidgen|uuidparse|dircolors|mcookie|runlevel|lsb_release|sw_vers|xdpyinfo|"
			"rpmquery|netstat|nstat|ifstat|pbpaste|wl-paste|sync|pinky|peekfd|prtstat|pslog|utmpdump|"
			"cpuid|numastat|lvs|vgs|pvs|lvdisplay|vgdisplay|pvdisplay|lvscan|dumpe2fs|xfs_info|lsinitrd|"
			"lsinitramfs|fc-list|fc-match|fc-query|fc-scan|fc-pattern|xdg-user-dir|systemd-analyze|"
			"systemd-cgls|systemd-cgtop|systemd-delta|systemd-detect-virt|systemd-escape|systemd-id128|"
			"systemd-path|systemd-resolve|neofetch|fastfetch|"
			"getopt|col|colcrt|colrm|ul|isosize|vdpauinfo|vainfo|glxinfo|"
			"nvidia-smi|rocm-smi|xwininfo|xprop|xlsclients|aa-status|apparmor_status" },
	{ .names = "find|gfind", .grammar = ZS_GRAMMAR_FIND },
	{ .names = "fd|fdfind",
		.options = "-x=X --exec=X -X=X --exec-batch=X -e=d --extension=d -t=d --type=d -d=d --max-depth=d "
			"--min-depth=d --exact-depth=d -E=d --exclude=d -S=d --size=d -o=d --owner=d -c=d --color=d "
			"-j=d --threads=d --changed-within=d --changed-before=d --newer=d --older=d --and=d "
			"--format=d --max-results=d --ignore-file=d --search-path=d --path-separator=d "
			"--strip-cwd-prefix?N --hyperlink?N --batch-size=d --base-directory=C -C=C --gen-completions?h "
			"--help!h --version!h -h!h -V!h", .operands = "d*", .traits = ZS_ROW_APPENDS },
	{ .names = "date|gdate",
		.options = "-s=D --set=D -d=d --date=d -f=r --file=r -r=r --reference=r -I?N --iso-8601?N "
			"--rfc-3339=d -v=d -z=d -j!r -R --rfc-email --rfc-2822 --debug --resolution -u --utc "
			"--universal --uct -n --help!h --version!h", .operands = "d*", .grammar = ZS_GRAMMAR_DATE },
	{ .names = "hostname|domainname|nisdomainname|ypdomainname|dnsdomainname",
		.options = "-F=D --file=D -b!d --boot!d -a -A -d -f -i -I -s -y -h!h -V!h --help!h --version!h",
		.operands = "D*" },
	{ .names = "dmesg",
		.options = "-C!d --clear!d -c!d --read-clear!d -D!d --console-off!d -E!d --console-on!d -n=D "
			"--console-level=D -F=r --file=r -K=r --kmsg-file=r -f=d --facility=d -l=d --level=d -s=d "
			"--buffer-size=d --since=d --until=d --time-format=d -L?N --color?N -h!h -V!h --help!h "
			"--version!h" },
	{ .names = "journalctl",
		.options = "--vacuum-size=D --vacuum-time=D --vacuum-files=D --rotate!d --flush!d "
			"--relinquish-var!d --smart-relinquish-var!d --setup-keys!d --update-catalog!d --sync!d "
			"--cursor-file=w -u=d --unit=d --user-unit=d -n?N --lines?N -o=d --output=d -S=d --since=d "
			"-U=d --until=d -p=d --priority=d -g=d --grep=d -t=d --identifier=d -D=d --directory=d "
			"--file=r -M=d --machine=d -c=d --cursor=d --after-cursor=d -F=d --field=d -b?N --boot?N "
			"--facility=d --root=d --image=d --namespace=d --output-fields=d --force -h!h --help!h "
			"--version!h", .operands = "d*" },
	{ .names = "info|pinfo",
		.options = "-o=w --output=w --dribble=w --restore=f -f=r --file=r -d=d --directory=d -n=d --node=d "
			"-k=d --apropos=d --index-search=d --init-file=f -v=d --variable=d -a --all -w -h!h "
			"--help!h --version!h", .operands = "d*" },
	{ .names = "sar", .options = "-o=w -f=r -s=d -e=d -P=d -n=d -I=d -m=d -q=d -i=d -r?N --iface=d --dev=d -V!h",
		.operands = "d*" },
	{ .names = "dstat|dool", .options = "--output=w -C=d -D=d -I=d -N=d -S=d -h!h --help!h --version!h",
		.operands = "d*" },
	{ .names = "atop", .options = "-w=w -r=r -b=d -e=d -P=d -L=d -V!h" },
	{ .names = "dmidecode", .options = "--dump-bin=w --from-dump=r -s=d --string=d -t=d --type=d -H=d -h!h -V!h" },
	{ .names = "systemctl",
		.options = "--version!h --help!h -h!h -t=d --type=d --state=d -p=d --property=d -P=d -n=d --lines=d "
			"-o=d --output=d -H=d --host=d -M=d --machine=d -s=d --signal=d --root=d --image=d "
			"--kill-whom=d --kill-who=d --job-mode=d --what=d --when=d --timestamp=d --preset-mode=d "
			"--check-inhibitors=d --legend=d --drop-in=d --user --system -a -l -q -r --no-pager "
			"--no-legend --plain --full --all --quiet --failed", .operands = "d*",
		.traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "systemctl",
		.names = "status|is-*|list-*|show|show-environment|cat|help|get-default|whoami|get-log-level" },
	{ .of = "systemctl", .names = "*", .options = "--dry-run!r", .traits = ZS_ROW_DEVICE },
	{ .names = "service|rc-service", .options = "--status-all!h --version!h --help!h -h!h -l!h --list!h -e!h",
		.operands = "d*", .traits = ZS_ROW_SUBCOMMANDS | ZS_ROW_FAMILY },
	{ .of = "service", .names = "*", .operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "service *", .names = "status|describe|needs|uses" },
	{ .of = "service *", .names = "*", .traits = ZS_ROW_DEVICE },
	{ .names = "rc-status" },
	{ .names = "rc-update|sv|initctl|launchctl|supervisorctl|svcadm", .options = "-h!h --help!h --version!h",
		.operands = "d*", .traits = ZS_ROW_SUBCOMMANDS | ZS_ROW_FAMILY },
	{ .of = "rc-update",
		.names = "show|status|list|help|version|print|print-*|blame|dumpstate|examine|tail|avail|maintail|pid",
		.operands = "d*" },
	{ .of = "rc-update", .names = "*", .traits = ZS_ROW_DEVICE },
	{ .names = "reboot|shutdown|halt|poweroff|init|telinit|kexec|insmod|rmmod|ifup|ifdown|ipcrm|ipcmk|"
			"chmem|chcpu|fstrim|vconfig|wpa_supplicant|dhclient|dhcpcd|udhcpc|"
			"setenforce|setsebool|pm-suspend|rtcwake|ctrlaltdel|wall|fsfreeze|"
			"kldload|kldunload|systemd-tmpfiles|systemd-sysusers|systemd-mount|systemd-umount|"
			"grub-install|grub-mkconfig|grub2-install|grub2-mkconfig|grub-editenv|"
			"dracut|mkinitcpio|update-initramfs|mkinitramfs|a2enmod|a2dismod|a2ensite|a2dissite|"
			"a2enconf|a2disconf|swapoff|pivot_root|switch_root|blkdiscard|ldattach|slattach",
		.options = "-V!h --version!h --help!h", .traits = ZS_ROW_DEVICE },
	{ .names = "modprobe",
		.options = "-n!r --dry-run!r --show!r -D!r --show-depends!r -c!r --showconfig!r --show-config!r "
			"--dump-modversions!r --show-modversions!r --show-exports!r -r -a -f -i -q -v -s -C=d "
			"--config=d -d=d --dirname=d -S=d --set-version=d -V!h --version!h -h!h --help!h",
		.operands = "d*", .traits = ZS_ROW_DEVICE },
	{ .names = "depmod",
		.options = "-n!r --dry-run!r --show!r -b=d -o=d -C=d -E=d -F=d -V!h --version!h -h!h --help!h",
		.operands = "d*", .traits = ZS_ROW_WRITES },
	{ .names = "rfkill", .operands = "d*", .traits = ZS_ROW_SUBCOMMANDS,
		.options = "-J -n -r -o=d --output=d -h!h --help!h -V!h --version!h" },
	{ .of = "rfkill", .names = "list|event|help" },
	{ .of = "rfkill", .names = "block|unblock|toggle", .traits = ZS_ROW_DEVICE },
	{ .names = "sysctl",
		.options = "-w!d --write!d -p?d --load?d -f!d --system!d -r=d --pattern=d -a -A -X --all -b --binary "
			"-e --ignore -N --names -n --values -q --quiet --deprecated --dry-run!h -h!h -V!h --help!h "
			"--version!h", .operands = "s*" },
	{ .names = "useradd|adduser|userdel|deluser|usermod|groupadd|addgroup|groupdel|delgroup|groupmod|groupmems|"
			"newusers|chpasswd|chgpasswd|chsh|chfn|gpasswd|vipw|vigr|pwconv|pwunconv|grpconv|grpunconv|"
			"update-grub|locale-gen|dpkg-reconfigure|dpkg-divert|dpkg-statoverride|"
			"debconf-set-selections|update-rc.d|invoke-rc.d|update-ca-certificates|update-ca-trust|"
			"update-desktop-database|update-mime-database|glib-compile-schemas|gtk-update-icon-cache|"
			"install-info|mkhomedir_helper|semanage|semodule|restorecon|authconfig|"
			"ssh-import-id|localedef|lesskey|tic|catman",
		.options = "--help!h --version!h --list!r --list-archive!r --truename!r --listpackage!r "
			"--dry-run!r", .traits = ZS_ROW_WRITES },
	{ .names = "passwd", .options = "-S!r --status!r -a --all --help!h -h!h", .operands = "d*",
		.traits = ZS_ROW_WRITES },
	{ .names = "chage", .options = "-l!r --list!r -i -h!h --help!h -d!w -E!w -I!w -m!w -M!w -W!w", .operands = "d*",
		.traits = ZS_ROW_WRITES },
	{ .names = "pwck|grpck", .options = "-r!r --read-only!r -q -s!w -h!h --help!h", .operands = "d*",
		.traits = ZS_ROW_WRITES },
	{ .names = "lastlog|faillog",
		.options = "-C!w --clear!w -S!w --set!w -r!w --reset!w -m!w -l!w -a -t=d -b=d -u=d" },
	{ .names = "visudo", .options = "-c!r --check!r -f=r -V!h -h!h --help!h --version!h -q -s -x=w --export=w",
		.traits = ZS_ROW_WRITES },
	{ .names = "update-alternatives|alternatives",
		.options = "--list!r --display!r --query!r --get-selections!r --help!h --version!h --log=w "
			"--install!w --remove!w --set!w --config!w --auto!w", .operands = "d*",
		.traits = ZS_ROW_WRITES },
	{ .names = "ldconfig",
		.options = "-p!r --print-cache!r -v -n -N -X -f=d -C=d -r=d -l -V!h --version!h -?!h --help!h",
		.operands = "d*", .traits = ZS_ROW_WRITES },
	{ .names = "hwclock",
		.options = "-r!r --show!r --get!r --test!r --predict!r --param-get=d --getepoch!r -s!d --hctosys!d "
			"-w!d --systohc!d --set!d -a!d --adjust!d --systz!d --param-set=D --date=d --delay=d -f=d "
			"--rtc=d -u --utc -l --localtime -h!h -V!h --help!h --version!h" },
	{ .names = "logger|chkconfig", .options = "--help!h -h!h --version!h -V!h --list!r", .traits = ZS_ROW_WRITES },
	{ .names = "timedatectl|hostnamectl|localectl|loginctl|resolvectl|networkctl|machinectl|bootctl|busctl|"
			"coredumpctl|homectl|portablectl|userdbctl|oomctl|udevadm",
		.options = "-H=d --host=d -M=d --machine=d -p=d --property=d -n=d --lines=d -o=d --output=d -t=d "
			"-i=d --interface=d -c=d --class=d -a --all -l --full -q --no-pager --no-legend -j "
			"--json=d --address=d --user --system -h!h --help!h --version!h -V!h", .operands = "d*",
		.traits = ZS_ROW_SUBCOMMANDS | ZS_ROW_FAMILY },
	{ .of = "timedatectl",
		.names = "status|show|show-*|list|list-*|timesync-status|session-status|user-status|"
			"seat-status|query|service|openpgp|tlsa|statistics|lldp|cat|image-status|tree|introspect|"
			"get-property|monitor|capture|info|is-*|inspect|user|group|"
			"users-in-group|services|settle|test|test-builtin|verify|kernel-*|help" },
	{ .of = "timedatectl", .names = "*", .traits = ZS_ROW_DEVICE },
	{ .of = "timedatectl", .names = "hostname|icon-name|chassis|deployment|location", .operands = "D*" },
	{ .of = "timedatectl", .names = "dump", .options = "-o=w --output=w", .operands = "d*" },
	{ .of = "timedatectl", .names = "gdb|debug", .traits = ZS_ROW_STDIN_CODE },
	{ .names = "iptables|ip6tables|iptables-legacy|iptables-nft|ebtables|arptables",
		.options = "-L!r --list!r -S!r --list-rules!r -C!r --check!r -t=d --table=d -F!d --flush!d -A!d "
			"--append!d -D!d --delete!d -I!d --insert!d -R!d --replace!d -X!d --delete-chain!d -P!d "
			"--policy!d -N!d --new-chain!d -Z!d --zero!d -E!d --rename-chain!d -n -v -x "
			"--line-numbers -w?N --wait?N -V!h --version!h -h!h --help!h", .operands = "d*",
		.traits = ZS_ROW_DEVICE },
	{ .names = "iptables-save|ip6tables-save|arptables-save|ebtables-save", .options = "-f=w --file=w -t=d -M=d" },
	{ .names = "iptables-restore|ip6tables-restore|iptables-apply|wg-quick",
		.options = "-t!r --test!r -h!h --help!h", .traits = ZS_ROW_DEVICE },
	{ .names = "nft",
		.options = "-c!r --check!r -f!d --file!d -i!d --interactive!d -v!h -V!h --version!h -h!h --help!h",
		.operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "nft", .names = "list|monitor|describe|get|export" },
	{ .of = "nft", .names = "*", .options = "-c!r --check!r", .traits = ZS_ROW_DEVICE },
	{ .names = "ufw|ipset|wg",
		.options = "-h!h --help!h -v!h --version!h --dry-run!h -f=d -file=d -o=d -output=d -q -n",
		.operands = "d*", .traits = ZS_ROW_SUBCOMMANDS | ZS_ROW_FAMILY },
	{ .of = "ufw", .names = "status|show|version|help|list|save|test|showconf|pubkey|genkey|genpsk" },
	{ .of = "ufw", .names = "*", .traits = ZS_ROW_DEVICE },
	{ .of = "ufw", .names = "app", .operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "ufw app", .names = "list|info" },
	{ .of = "ufw app", .names = "default|update", .traits = ZS_ROW_DEVICE },
	{ .names = "firewall-cmd|firewall-offline-cmd",
		.options = "--state!r --list-all!r --list-all-zones!r --list-services!r --list-ports!r "
			"--list-rich-rules!r --list-interfaces!r --list-sources!r --list-protocols!r "
			"--list-forward-ports!r --get-default-zone!r --get-active-zones!r --get-zones!r "
			"--get-services!r --get-icmptypes!r --get-zone-of-interface?r --get-log-denied!r "
			"--query-service?r --query-port?r --query-masquerade!r --query-panic!r --info-zone?r "
			"--info-service?r --check-config!r --zone=d --permanent -h!h --help!h -V!h --version!h",
		.traits = ZS_ROW_DEVICE },
	/* ip accepts abbreviations, and takes the first match in its own order: ip link s is set, ip addr s is show. */
	{ .names = "ip",
		.options = "-f=d -family=d -l=d -loops=d -b=D -batch=D -rc=d -rcvbuf=d -n=d -netns=d -s -d -o -r -t "
			"-j -p -4 -6 -0 -B -M -D -N -I -c?N -color?N -br -brief -a -all -h -iec -force -V!h "
			"-Version!h -help!h", .operands = "d*",
		.traits = ZS_ROW_SUBCOMMANDS | ZS_ROW_LONG_DASH | ZS_ROW_ABBREVIATED },
	{ .of = "ip", .names = "*", .operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "ip *",
		.names = "show|sho|sh|s|list|lis|li|l|ls|lst|get|g|help|h|save|showdump|monitor|m|mo|mon|all|label|"
			"file|rev|identify|pids|count" },
	{ .of = "ip *", .names = "*", .traits = ZS_ROW_DEVICE },
	{ .of = "ip", .names = "link|lin|li|l", .operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "ip link|ip lin|ip li|ip l",
		.names = "show|sho|sh|list|lis|li|l|ls|lst|help|h|he|hel|xstats|xst|afstats|af" },
	{ .of = "ip link|ip lin|ip li|ip l", .names = "*", .traits = ZS_ROW_DEVICE },
	{ .of = "ip", .names = "monitor|monito|monit|moni|mon|mo|help", .operands = "d*" },
	{ .of = "ip", .names = "netns|netn|net|vrf", .operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "ip netns|ip netn|ip net|ip vrf",
		.names = "list|lis|li|l|ls|lst|show|list-id|identify|pids|monitor|help" },
	{ .of = "ip netns|ip netn|ip net", .names = "exec|exe|ex|e", .operands = "dX",
		.traits = ZS_ROW_STRICT | ZS_ROW_STDIN_CODE },
	{ .of = "ip vrf", .names = "exec|exe|ex|e", .operands = "dX", .traits = ZS_ROW_STRICT },
	{ .of = "ip netns|ip netn|ip net|ip vrf", .names = "*", .traits = ZS_ROW_DEVICE },
	{ .of = "ip", .names = "xfrm|mptcp|ioam|sr", .operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "ip xfrm|ip mptcp|ip ioam|ip sr", .names = "*", .operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "ip xfrm|ip mptcp|ip ioam|ip sr", .names = "monitor|help", .operands = "d*" },
	{ .of = "ip xfrm *|ip mptcp *|ip ioam *|ip sr *", .names = "show|list|ls|l|get|count|help" },
	{ .of = "ip xfrm *|ip mptcp *|ip ioam *|ip sr *", .names = "*", .traits = ZS_ROW_DEVICE },
	{ .names = "bridge|tc|devlink|rdma|dcb|tipc",
		.options = "-b=D -batch=D -n=d -netns=d -s -d -o -j -p -r -c?N -V!h -Version!h -help!h -t -g -k",
		.operands = "d*", .traits = ZS_ROW_SUBCOMMANDS | ZS_ROW_FAMILY | ZS_ROW_LONG_DASH },
	{ .of = "bridge", .names = "*", .operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "bridge", .names = "monitor|mon|m|help" },
	{ .of = "bridge *",
		.names = "show|sh|list|ls|l|get|help|tunnelshow|global|info|monitor" },
	{ .of = "bridge *", .names = "*", .traits = ZS_ROW_DEVICE },
	{ .names = "ifconfig|iwconfig",
		.options = "-a -s -v -l -m --all --help!h --version!h -h!h -V!h", .operands = "dD*" },
	{ .names = "brctl", .options = "--help!h --version!h -h!h -V!h", .operands = "d*",
		.traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "brctl", .names = "show|showmacs|showstp" },
	{ .of = "brctl", .names = "*", .traits = ZS_ROW_DEVICE },
	{ .names = "route", .options = "-n -v -e -ee -F -C -4 -6 -A=d --help!h -h!h -V!h --version!h", .operands = "d*",
		.traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "route", .names = "get|show|monitor|print", .operands = "d*" },
	{ .of = "route", .names = "*", .traits = ZS_ROW_DEVICE },
	{ .names = "arp",
		.options = "-s!d --set!d -d!d --delete!d -f!d --file!d -a -e -n -v -D -A=d -p=d -H=d -t=d -i=d "
			"--device=d -V!h --version!h -h!h --help!h", .operands = "d*" },
	{ .names = "ethtool",
		.options = "-s!d --change!d -K!d --features!d --offload!d -A!d --pause!d -C!d --coalesce!d -G!d "
			"--set-ring!d -N!d -U!d --config-nfc!d --config-ntuple!d -L!d --set-channels!d -X!d "
			"--set-rxfh-indir!d --rxfh!d -r!d --negotiate!d -E!d --change-eeprom!d -f!d --flash!d -p!d "
			"--identify!d -t!d --test!d --reset!d --set-eee!d --set-priv-flags!d -W!d --set-dump!d -w!w "
			"--get-dump!w --set-phy-tunable!d --set-tunable!d --set-fec!d --set-module!d --set-mm!d -h!h "
			"--help!h --version!h", .operands = "d*" },
	{ .names = "iw", .options = "--version!h --debug --help!h", .operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "iw", .names = "list|event|features|commands|help" },
	{ .of = "iw", .names = "dev|phy|wdev", .operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "iw dev|iw phy|iw wdev", .names = "*", .operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "iw dev *|iw phy *|iw wdev *", .names = "info|link|scan|survey|get|channels" },
	{ .of = "iw dev *|iw phy *|iw wdev *", .names = "station|mpath|mpp", .operands = "d*",
		.traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "iw dev * station|iw dev * mpath|iw dev * mpp", .names = "dump|get|probe" },
	{ .of = "iw dev * station|iw dev * mpath|iw dev * mpp", .names = "*", .traits = ZS_ROW_DEVICE },
	{ .of = "iw dev *|iw phy *|iw wdev *", .names = "*", .traits = ZS_ROW_DEVICE },
	{ .of = "iw", .names = "reg", .operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "iw reg", .names = "get" },
	{ .of = "iw reg", .names = "set|reload", .traits = ZS_ROW_DEVICE },
	{ .names = "nmcli",
		.options = "-t -p -f=d --fields=d -g=d --get-values=d -m=d --mode=d -c=d --colors=d -e=d --escape=d "
			"-w=d --wait=d -a -s -h!h --help!h -v!h --version!h -o --overview", .operands = "d*",
		.traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "nmcli", .names = "monitor|m", .operands = "d*" },
	{ .of = "nmcli", .names = "*", .operands = "d*", .traits = ZS_ROW_SUBCOMMANDS,
		.options = "-h!h --help!h -a --active --order=d" },
	{ .of = "nmcli *",
		.names = "status|stat|s|show|sh|list|monitor|hostname|permissions|logging|connectivity|help" },
	{ .of = "nmcli *", .names = "wifi|w", .operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "nmcli * wifi|nmcli * w", .names = "list|l|show-password" },
	{ .of = "nmcli * wifi|nmcli * w", .names = "*", .traits = ZS_ROW_DEVICE },
	{ .of = "nmcli *", .names = "*", .traits = ZS_ROW_DEVICE },
	{ .names = "mount",
		.options = "-l!r --show-labels!r -t=d --types=d -o=d --options=d -O=d --test-opts=d -L=D --label=D "
			"-U=D --uuid=D -T=d --fstab=d -f!r --fake!r -N=d --target=D --source=D -a!d --all!d -v -n "
			"-r -w -V!h --version!h -h!h --help!h", .operands = "d*",
		.traits = ZS_ROW_DEVICE | ZS_ROW_LISTS },
	{ .names = "umount|umount2|fusermount|fusermount3",
		.options = "-V!h --version!h -h!h --help!h --fake!r -t=d -O=d -N=d", .operands = "d*",
		.traits = ZS_ROW_DEVICE },
	{ .names = "swapon", .options = "-s!h --summary!h --show?h -V!h --version!h -h!h --help!h -o=d -p=d -L=d -U=d",
		.operands = "d*", .traits = ZS_ROW_DEVICE },
	{ .names = "losetup",
		.options = "-a!r --all!r -l!r --list!r -j=d --associated=d -f!r --find!r -O=d --output=d -o=d "
			"--offset=d --sizelimit=d -d!d --detach!d -D!d --detach-all!d -c!d --set-capacity!d -P -r "
			"-J --json -n --raw --show -V!h --version!h -h!h --help!h", .operands = "D*",
		.traits = ZS_ROW_DEVICE | ZS_ROW_LISTS },
	{ .names = "fdisk|gdisk|cgdisk|cfdisk|parted",
		.options = "-l!r --list!r -s=d -x!r --list-details!r -v!h -V!h --version!h -h!h --help!h",
		.operands = "d*", .traits = ZS_ROW_DEVICE },
	{ .names = "sfdisk",
		.options = "-l!r --list!r -d!r --dump!r -J!r --json!r -s!r --show-size!r -V!r --verify!r -F!r "
			"--list-free!r -T!r --list-types!r -n!r --no-act!r --delete!d -v!h --version!h -h!h --help!h",
		.operands = "d*", .traits = ZS_ROW_DEVICE },
	{ .names = "sgdisk",
		.options = "-p -v -i=d --print --verify --info=d -L --list-types -F -f -E -D -b=w --backup=w -d=D "
			"--delete=D -n=D --new=D -t=D --typecode=D -o!d --clear!d -z!d --zap!d -Z!d --zap-all!d "
			"-c=D --change-name=D -A=d --attributes=d -g!d --mbrtogpt!d -G!d --randomize-guids!d -l=D "
			"--load-backup=D -m=D --gpttombr=D -N=D --largest-new=D -r=D --transpose=D -R=D "
			"--replicate=D -s!d --sort!d -u=D --partition-guid=D -U=D --disk-guid=D -e!d "
			"--move-second-header!d -h=D --hybrid=D -V!h --version!h --help!h", .operands = "d*" },
	{ .names = "mkfs|mkswap|mkdosfs|mkntfs|mkfs.xfs|mkfs.btrfs|"
			"mkfs.vfat|mkfs.fat|mkfs.ntfs|mkfs.exfat|mkfs.f2fs|lvcreate|lvremove|lvextend|lvreduce|"
			"lvresize|lvchange|lvconvert|lvrename|vgcreate|vgremove|vgextend|vgreduce|vgchange|"
			"vgrename|vgexport|vgimport|pvcreate|pvremove|pvmove|pvresize|pvchange|resize2fs|"
			"xfs_growfs|xfs_repair|e2label|fatlabel|ntfslabel|swaplabel|eject|badblocks|"
			"delpart|addpart|resizepart|partprobe|kpartx|cryptdisks_start|zramctl|sg_format",
		.options = "-V!h --version!h --help!h", .operands = "d*", .traits = ZS_ROW_DEVICE },
	{ .names = "mke2fs|mkfs.ext4|mkfs.ext3|mkfs.ext2", .options = "-n!r -V!h", .operands = "d*",
		.traits = ZS_ROW_DEVICE },
	{ .names = "wipefs", .options = "-a!d --all!d -o=D --offset=D -n -O=d -t=d -J -p -b?N -h!h -V!h --help!h "
			"--version!h", .operands = "d*" },
	{ .names = "fsck|e2fsck|fsck.ext4|fsck.ext3|fsck.vfat|fsck.fat|fsck.xfs|btrfsck|ntfsfix|dosfsck",
		.options = "-n!r -N!r -V!h --version!h -h!h --help!h -t=d -C?N", .operands = "d*",
		.traits = ZS_ROW_DEVICE },
	{ .names = "tune2fs",
		.options = "-l!r -c=D -C=D -e=D -E=D -f -g=D -i=D -I=D -j!d -J=D -L=D -m=D -M=D -o=D -O=D -Q=D -r=D "
			"-T=D -u=D -U=D -z=w", .operands = "d*", .traits = ZS_ROW_DEVICE },
	{ .names = "hdparm", .options = "-I!r -i!r -t!r -T!r -g!r -C!r -W!d -S!d -B!d -y!d -Y!d -z!d -Z!d -f!d -F!d "
			"-a!d -A!d -d!d -K!d -k!d -m!d -M!d -r!d -X!d -w!d -V!h -h!h", .operands = "d*",
		.traits = ZS_ROW_DEVICE },
	{ .names = "smartctl",
		.options = "-s=D --smart=D -o=D --offlineauto=D -S=D --saveauto=D -t=D --test=D -X!d --abort!d -a -i "
			"-H -A -c -x -l=d --log=d -d=d --device=d -n=d --nocheck=d -q=d -r=d -T=d -b=d -v=d "
			"--set=D -h!h --help!h -V!h --version!h", .operands = "d*" },
	{ .names = "debugfs", .options = "-w!d -R=d -f=f -V!h -c -i -n -D -b=d -s=d -d=d -z=d", .operands = "d*",
		.traits = ZS_ROW_WRITES },
	{ .names = "blockdev",
		.options = "--getsz --getsize64 --getro --getss --getpbsz --getra --getfra --getbsz --getiomin "
			"--getioopt --getalignoff --getmaxsect --getdiscardzeroes --getsize --report --setro!d "
			"--setrw!d --setbsz!d --setra!d --setfra!d --flushbufs!d --rereadpt!d -V!h -h!h --help!h",
		.operands = "d*" },
	{ .names = "dmsetup|cryptsetup|mdadm|nvme|zfs|zpool|btrfs|lvm|multipath",
		.options = "--version!h --help!h -h!h -V!h -D!h --detail!h -E!h --examine!h -Q!h --query!h -ll!h -l!h",
		.operands = "d*", .traits = ZS_ROW_SUBCOMMANDS | ZS_ROW_FAMILY },
	{ .of = "dmsetup",
		.names = "ls|info|status|table|deps|targets|version|list|list-*|get|history|iostat|luksDump|isLuks|"
			"luksUUID|benchmark|tcryptDump|smart-log|id-ctrl|id-ns|error-log|fw-log|show-regs|diff|"
			"help|events|lvs|vgs|pvs|report|dumpconfig" },
	{ .of = "dmsetup",
		.names = "filesystem|fi|subvolume|su|sub|device|scrub|balance|qgroup|inspect-internal|property",
		.operands = "d*", .traits = ZS_ROW_SUBCOMMANDS | ZS_ROW_FAMILY },
	{ .of = "dmsetup filesystem",
		.names = "show|usage|df|du|list|get|get-*|find-new|stats|status|dump-*|inode-*|logical-*|rootid|"
			"min-dev-size|tree-stats" },
	{ .of = "dmsetup filesystem",
		.names = "*", .traits = ZS_ROW_DEVICE },
	{ .of = "dmsetup", .names = "*", .traits = ZS_ROW_DEVICE },
	/* One operand is shell code; several are a program and its words, which read as code alike. */
	{ .names = "tmux",
		.options = "-V!h -L=d -S=d -f=f -c=y -T=d -2 -C -D -l -N -q -u -v", .operands = "d*",
		.grammar = ZS_GRAMMAR_TMUX, .traits = ZS_ROW_SUBCOMMANDS | ZS_ROW_WRITES },
	{ .of = "tmux",
		.names = "ls|list-*|lsb|lsc|lscm|lsk|lsp|lsw|has-session|has|show-options|show|show-*|showb|showmsgs|"
			"showenv|showw|showhooks|info", .grammar = ZS_GRAMMAR_TMUX },
	{ .of = "tmux", .names = "capture-pane|capturep|display-message|display",
		.options = "-p!r -t=d -S=d -E=d -c=d -F=d -d=d", .operands = "d*", .grammar = ZS_GRAMMAR_TMUX,
		.traits = ZS_ROW_WRITES },
	{ .of = "tmux",
		.names = "new-session|new|new-window|neww|split-window|splitw|split-pane|splitp|respawn-pane|respawnp|"
			"respawn-window|respawnw",
		.options = "-c=d -e=d -f=d -F=d -l=d -n=d -p=d -s=d -t=d -x=d -y=d", .operands = "S",
		.grammar = ZS_GRAMMAR_TMUX, .traits = ZS_ROW_WRITES },
	{ .of = "tmux", .names = "display-popup|popup",
		.options = "-b=d -c=d -d=d -e=d -h=d -s=d -S=d -t=d -T=d -w=d -x=d -y=d", .operands = "S",
		.grammar = ZS_GRAMMAR_TMUX, .traits = ZS_ROW_WRITES },
	{ .of = "tmux", .names = "run-shell|run|pipe-pane|pipep", .options = "-c=d -d=d -t=d", .operands = "S",
		.grammar = ZS_GRAMMAR_TMUX, .traits = ZS_ROW_WRITES },
	{ .of = "tmux", .names = "if-shell|if", .options = "-t=d", .operands = "yS", .grammar = ZS_GRAMMAR_TMUX,
		.traits = ZS_ROW_WRITES },
	/* Typed into a shell. The names of keys read as words of its last command. */
	{ .of = "tmux", .names = "send-keys|send", .options = "-c=d -N=d -t=d", .operands = "S",
		.grammar = ZS_GRAMMAR_TMUX, .traits = ZS_ROW_WRITES },
	{ .of = "tmux", .names = "source-file|source", .options = "-t=d", .operands = "f*",
		.grammar = ZS_GRAMMAR_TMUX, .traits = ZS_ROW_WRITES },
	{ .of = "tmux", .names = "*", .grammar = ZS_GRAMMAR_TMUX, .traits = ZS_ROW_WRITES },
	/* Its letters may be bundled, and words such as -ls are no bundle. */
	{ .names = "screen",
		.options = "-ls!h -list!h -wipe!w -v!h -V!h --version!h --help!h -h=d -c=f -d -m -D -r -R -RR -x -S=d "
			"-t=d -T=d -s=d -e=d -p=d -X -U -q -Q -a -A -L -Logfile=w -O -dm -md -Dm -mD -dmS=d -mdS=d "
			"-DmS=d -dmLS=d -LdmS=d -dmUS=d -UdmS=d -dmAS=d -AdmS=d -dmqS=d -dS=d -LS=d -US=d -AS=d -xS=d "
			"-RS=d -dRS=d -DRS=d -xr -rx -xR -Rx -xRR -dr -rd -dR -Rd -dRR -Dr -DR -DRR -RD -aA -aAx",
		.operands = "X", .traits = ZS_ROW_STRICT | ZS_ROW_WRITES | ZS_ROW_LONG_DASH },
	{ .names = "dtach|abduco",
		.options = "-v!h --version!h --help!h -a -A -c -n -N -p -f -l -E -z -e=d -r=d", .operands = "dX",
		.traits = ZS_ROW_STRICT | ZS_ROW_WRITES },
	{ .names = "byobu|zellij",
		.options = "-ls!h -list!h -v!h -V!h --version!h --help!h -h!h",
		.traits = ZS_ROW_WRITES | ZS_ROW_LONG_DASH },
	{ .names = "logrotate",
		.options = "-d!r --debug!r -s=w --state=w -l=w --log=w -f -v --help!h --usage!h --version!h",
		.operands = "d*", .traits = ZS_ROW_WRITES },
	{ .names = "fc-cache|updatedb|mandb|dbus-send|xdg-open|xdg-icon-resource|xdg-desktop-menu|"
			"notify-send|zenity|kdialog|pbcopy|wl-copy|xdotool|wmctrl|lpr|lp|lprm|cancel|"
			"cupsenable|cupsdisable|cupsaccept|lpadmin|lpoptions",
		.options = "--version!h --help!h", .traits = ZS_ROW_WRITES },
	{ .names = "xclip|xsel", .options = "-o!r -out!r --output!r -selection=d -sel=d -b -p -s -t=d -d=d -version!h "
			"--version!h -help!h --help!h -h!h", .traits = ZS_ROW_WRITES },
	{ .names = "gsettings|dconf|xdg-settings|xdg-mime|defaults",
		.options = "--schemadir=d --version!h --help!h -h!h", .operands = "d*",
		.traits = ZS_ROW_SUBCOMMANDS | ZS_ROW_FAMILY },
	{ .of = "gsettings",
		.names = "get|list|list-*|read|read-type|dump|watch|monitor|describe|range|writable|check|query|help|"
			"domains|find" },
	{ .of = "gsettings", .names = "*", .traits = ZS_ROW_WRITES },
	{ .names = "file", .options = "-C!w --compile!w -m=r -f=r -F=d --magic-file=r --files-from=r --separator=d "
			"-P=d --parameter=d -e=d --exclude=d --exclude-quiet=d -v!h --version!h --help!h",
		.operands = "r*" },
	{ .names = "tree", .options = "-o=w -L=d -P=d -I=d -H=d -T=d --charset=d --filelimit=d --timefmt=d --sort=d "
			"--gitfile=d --infofile=d --fromfile --help!h --version!h", .operands = "d*" },
	{ .names = "blkid", .options = "-c=w -g!w -o=d -s=d -t=d -u=d -n=d -L=d -U=d -O=d -S=d -H=d --cache-file=w "
			"--garbage-collect!w --output=d --match-tag=d -V!h -h!h", .operands = "d*" },
	{ .names = "ss", .options = "-D=w --diag=w -f=d --family=d -A=d --query=d --socket=d -F=r --filter=r -N=d "
			"--net=d -K!d --kill!d -h!h -V!h --help!h --version!h", .operands = "d*" },
	{ .names = "lstopo|lstopo-no-graphics|hwloc-ls", .options = "--of=d --version!h -h!h --help!h --input=d -i=d",
		.operands = "w" },
	{ .names = "patchelf",
		.options = "--print-interpreter!r --print-needed!r --print-rpath!r --print-soname!r "
			"--print-os-abi!r --print-execstack!r --help!h -h!h --version!h --output=w", .operands = "d*",
		.traits = ZS_ROW_WRITES },
	{ .names = "chrpath", .options = "-l!r --list!r -r!w -d!w -c!w -k --help!h -v!h", .operands = "d*",
		.traits = ZS_ROW_WRITES },
	{ .names = "elfedit|prelink|execstack|install_name_tool|codesign",
		.options = "--help!h --version!h -q!r -d!r -dv!r -v -p!r", .traits = ZS_ROW_WRITES },
	{ .names = "inotifywait|inotifywatch",
		.options = "-e=d --event=d -t=d --timeout=d -o=w --outfile=w -c --csv -m --monitor -d --daemon -r "
			"--recursive -q --quiet -s --syslog --fromfile=r --exclude=d --excludei=d --include=d "
			"--includei=d --format=d --timefmt=d -a=d --ascending=d --descending=d -h!h --help!h",
		.operands = "r*" },
};
// clang-format on
ZS_TABLE_COUNT(system);
