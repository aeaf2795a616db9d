/* Clients of databases. A statement on the command line is read as SQL. */
#include "rows/rows_table.h"

// clang-format off
ZS_TABLE(databases) = {
	{ .names = "sqlite3",
		.options = "-version!h -help!h -readonly -header -noheader -csv -json -jsonb -column -line -list -html "
			"-box -table -markdown -quote -tabs -ascii -batch -bail -echo -stats -interactive -deserialize "
			"-memtrace -nofollow -unsafe-testing -utf8 -no-utf8 -safe -cmd=k -init=f -separator=d "
			"-newline=d -nullvalue=d -escape=d -mmap=d -maxsize=d -vfs=d -lookaside=d -pagecache=d "
			"-heap=d -append!w -archive!w -A!w -zip!w -pcachetrace", .operands = "rk*",
		.traits = ZS_ROW_LONG_DASH | ZS_ROW_WHOLE_INPUT, .grammar = ZS_GRAMMAR_SQLITE, .language = "sql" },
	{ .names = "psql",
		.options = "-c=k --command=k -f=f --file=f -h=d --host=d -v=d --set=d --variable=d -U=d "
			"--username=d -p=d --port=d -d=d --dbname=d -o=w --output=w -L=w --log-file=w -P=d "
			"--pset=d -F=d --field-separator=d -R=d --record-separator=d -T=d --table-attr=d -l!h "
			"--list!h -V!h --version!h -?!h --help?h -A -t -x -X -q -w -W -1 -a -b -e -E -n -s -S!e -H -z "
			"-0 --single-line!e", .operands = "dd", .traits = ZS_ROW_STDIN_CODE | ZS_ROW_WHOLE_INPUT,
		.language = "sql" },
	{ .names = "mysql|mariadb",
		.options = "-e=k --execute=k -h=d --host=d -u=d --user=d -P=d --port=d -D=d --database=d -S=d "
			"--socket=d -p?N --password?N --tee=w --defaults-file=f --defaults-extra-file=f "
			"--init-command=k --protocol=d --ssl-ca=d --ssl-cert=d --ssl-key=d "
			"--default-character-set=d --delimiter=d --prompt=d --login-path=d --connect-timeout=d "
			"--pager?w -V!h --version!h -?!h --help!h -I!h -v -B -N -s -t -r -H -X -E -A -C -f -n -q -w",
		.operands = "d", .traits = ZS_ROW_STDIN_CODE | ZS_ROW_WHOLE_INPUT,
		.language = "sql" },
	{ .names = "pg_dump|pg_dumpall|mysqldump|mariadb-dump|sqldiff",
		.options = "-f=w --file=w -r=w --result-file=w -T=d --tab=w --table=d -t=d -h=d --host=d -U=d -u=d "
			"-p?N -P=d -d=d --dbname=d -n=d --schema=d -F=d --format=d -V!h --version!h -?!h --help!h",
		.operands = "d*", .traits = ZS_ROW_NETWORK },
	{ .names = "pg_isready|pg_config|pg_controldata|pg_lsclusters|mysqlshow|pg_waldump|"
			"pg_test_timing|redis-benchmark", .options = "--help!h --version!h", .operands = "d*" },
	{ .names = "mysqladmin|mariadb-admin",
		.options = "-h=d --host=d -u=d --user=d -P=d --port=d -p?N --password?N -S=d --socket=d -i=d -c=d "
			"-V!h --version!h -?!h --help!h", .operands = "d*",
		.traits = ZS_ROW_SUBCOMMANDS | ZS_ROW_FAMILY },
	{ .of = "mysqladmin",
		.names = "ping|status|extended-status|processlist|variables|version" },
	{ .of = "mysqladmin", .names = "*", .traits = ZS_ROW_WRITES },
	{ .names = "createdb|dropdb|createuser|dropuser|pg_restore|pg_ctl|pg_ctlcluster|pg_createcluster|"
			"pg_dropcluster|initdb|vacuumdb|reindexdb|clusterdb|pg_basebackup|pg_upgrade|pg_resetwal|"
			"pgbench|mysqlimport|mysql_upgrade|mysql_install_db|mongoimport|mongorestore|mongodump|"
			"mongoexport|influx|myloader|mydumper|litestream",
		.options = "-l!r --list!r -V!h --version!h -?!h --help!h", .operands = "d*",
		.traits = ZS_ROW_WRITES },
	{ .names = "redis-cli|valkey-cli|keydb-cli",
		.options = "-h=d -p=d -s=d -a=d -u=d -n=d -r=d -i=d -x!w -X=d --user=d --pass=d --askpass --rdb=w "
			"--functions-rdb=w --eval=f --pipe!w --cluster!w --tls --cacert=d --cert=d --key=d --sni=d "
			"--raw --no-raw --json --csv --stat!h --latency!h --latency-history!h --bigkeys!h "
			"--memkeys!h --hotkeys!h --scan!h --pattern=d --count=d --intrinsic-latency=d -c -2 -3 -e "
			"-d=d -D=d --no-auth-warning -v!h --version!h --help!h", .operands = "d*",
		.traits = ZS_ROW_SUBCOMMANDS | ZS_ROW_FAMILY | ZS_ROW_NETWORK | ZS_ROW_STDIN_CODE },
	{ .of = "redis-cli",
		.names = "get|GET|mget|MGET|getrange|strlen|STRLEN|exists|EXISTS|keys|KEYS|scan|SCAN|type|TYPE|ttl|TTL|"
			"pttl|hget|HGET|hgetall|HGETALL|hkeys|HKEYS|hvals|hlen|HLEN|hmget|HMGET|hexists|hscan|"
			"lrange|LRANGE|llen|LLEN|lindex|smembers|SMEMBERS|scard|SCARD|sismember|sscan|zrange|"
			"ZRANGE|zrevrange|zrangebyscore|zcard|ZCARD|zscore|zrank|zcount|zscan|xrange|XRANGE|"
			"xrevrange|xlen|XLEN|xinfo|XINFO|info|INFO|ping|PING|dbsize|DBSIZE|time|TIME|echo|memory|"
			"MEMORY|object|OBJECT|monitor|MONITOR|subscribe|SUBSCRIBE|psubscribe|randomkey|dump|"
			"lastsave|role|ROLE|command|COMMAND|pubsub|PUBSUB|geopos|geodist|bitcount|getbit|pfcount|"
			"lolwut|help|wait", .traits = ZS_ROW_NETWORK },
	{ .of = "redis-cli", .names = "config|CONFIG|client|CLIENT|slowlog|SLOWLOG|cluster|CLUSTER",
		.operands = "d*", .traits = ZS_ROW_SUBCOMMANDS | ZS_ROW_FAMILY },
	{ .of = "redis-cli config",
		.names = "get|GET|list|LIST|info|INFO|id|ID|getname|GETNAME|len|LEN|nodes|NODES|slots|SLOTS|shards" },
	{ .of = "redis-cli config|redis-cli",
		.names = "*", .traits = ZS_ROW_WRITES | ZS_ROW_NETWORK },
	{ .names = "mongosh|mongo",
		.options = "--eval=k -f=f --file=f --host=d --port=d -u=d --username=d -p?N --password?N "
			"--authenticationDatabase=d --quiet --norc --nodb --shell!s --json?N --version!h -h!h --help!h",
		.operands = "df*", .traits = ZS_ROW_STDIN_CODE, .language = "javascript" },
	{ .names = "duckdb|cqlsh|sqlplus|clickhouse-client|clickhouse|trino|snowsql|isql|usql|"
			"cockroach|sqlcmd|bcp|neo4j-client|cypher-shell|pgcli|mycli|litecli|iredis|"
			"beeline|hive|spark-sql|impala-shell|presto|athenacli",
		.options = "-c=k --command=k -e=k --eval=k --execute=k -q=k --query=k -Q=k -f=f --file=f -init=f "
			"-cmd=k -s=d -h=d --host=d -p=d --port=d -u=d --username=d -d=d --database=d -o=w --output=w "
			"-readonly -csv -json -box -markdown --version!h -version!h --help!h -help!h",
		.operands = "d*", .traits = ZS_ROW_STDIN_CODE, .language = "sql" },
};
// clang-format on
ZS_TABLE_COUNT(databases);
