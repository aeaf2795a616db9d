/* Commands that ask or change the system: processes, devices, users, services. */
#include "rows.h"

#include "classify.h"

// clang-format off
ZS_TABLE(system) = {
	{ .names = "ls|dir|vdir|exa|eza|lsd|stat|du|df|realpath|readlink|basename|dirname|which|whereis|locate|"
			"date|cal|uptime|uname|hostname|hostid|arch|nproc|getconf|id|whoami|who|w|last|users|"
			"groups|logname|tty|ps|pgrep|pkill|killall|pidof|pstree|top|htop|free|vmstat|iostat|lsof|"
			"fuser|lscpu|lsblk|lsusb|lspci|lsmod|lsns|lsipc|dmesg|printenv|locale|sleep|usleep|tput|"
			"clear|reset|stty|getent|pathchk|ldd|nm|size|readelf|objdump|addr2line|c++filt|ipcs|pmap|"
			"slabtop|sar|mpstat|findmnt|journalctl|loginctl|apropos|whatis|info|mesg|infocmp|"
			"systemd-analyze|lslocks|lslogins|namei|mountpoint|sensors|acpi|lsattr|getfacl|getfattr|"
			"getcap|wait-for-it|wait-for-it.sh|dpkg-query|uuidgen|dircolors|mcookie|runlevel|"
			"lsb_release|sw_vers|xdpyinfo|rpmquery|ip|ifconfig|route|arp|netstat|iw|iwconfig|ethtool|"
			"bridge|pbpaste|wl-paste" },
	{ .names = "find|gfind", .grammar = zs_grammar_find },
	{ .names = "fd|fdfind",
		.options = "-x=X --exec=X -X=X --exec-batch=X -e=d --extension=d -t=d --type=d -d=d --max-depth=d "
			"--min-depth=d -E=d --exclude=d -S=d --size=d -o=d --owner=d -c=d --color=d -j=d "
			"--threads=d --changed-within=d --changed-before=d --base-directory=C --help!h "
			"--version!h -h!h -V!h", .operands = "d*", .traits = ZS_ROW_APPENDS },
	{ .names = "systemctl", .options = "--version!h --help!h", .operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "systemctl",
		.names = "status|is-active|is-enabled|list-units|list-unit-files|show|cat|is-failed|list-timers|"
			"list-sockets|get-default" },
	{ .of = "systemctl",
		.names = "start|stop|restart|reload|enable|disable|mask|unmask|daemon-reload|edit|set-default|"
			"poweroff|reboot", .traits = ZS_ROW_DEVICE },
	{ .names = "service|rc-service|initctl|launchctl|reboot|shutdown|halt|poweroff|init|telinit|modprobe|"
			"insmod|rmmod|kexec|depmod", .traits = ZS_ROW_DEVICE },
	{ .names = "sysctl", .options = "-w!w -p!w --write!w -a -n -e -q -N -b -r=d", .operands = "d*" },
	{ .names = "useradd|userdel|usermod|groupadd|groupdel|groupmod|passwd|chpasswd|adduser|deluser|addgroup|"
			"visudo|chsh|chfn|gpasswd|update-alternatives|ldconfig|update-grub|locale-gen|timedatectl|"
			"hostnamectl|localectl|hwclock|logger",
		.options = "--help!h --version!h --list!h -p!h --print-cache!h", .traits = ZS_ROW_WRITES },
	{ .names = "iptables|ip6tables|nft|ufw|tc|ipset|ebtables|firewall-cmd",
		.options = "-L!h --list!h -S!h -n -v", .traits = ZS_ROW_DEVICE },
	{ .names = "tmux|screen", .options = "-V!h", .traits = ZS_ROW_WRITES },
	{ .names = "logrotate|updatedb|mandb|fc-cache|dbus-send|gsettings|dconf|xdg-open|xdg-settings|notify-send|"
			"xclip|xsel|pbcopy|wl-copy", .traits = ZS_ROW_WRITES },
	{ .names = "file", .options = "-C!w --compile!w -m=r -f=r -F=d" },
	{ .names = "tree", .options = "-o=w -L=d -P=d -I=d" },
	{ .names = "blkid", .options = "-c=w -g!w" },
	{ .names = "ss", .options = "-D=w --diag=w -f=d -A=d" },
};
// clang-format on
ZS_TABLE_COUNT(system);
