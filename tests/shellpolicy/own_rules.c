/* Rules of the caller's own: which commands they match, and what they may lift. */
#include "vetting.h"

static const struct zs_report *vet_by(
	enum zs_profile profile, const struct zs_own_rule *rules, uint32_t count, const char *text)
{
	static struct zs_vetter *vetter;
	const struct zs_vet_options options = {
		.profile = profile,
		.workspace = "/srv/tally",
		.folder = "/srv/tally",
		.home = "/home/ada",
		.rules = rules,
		.rule_count = count,
	};

	if (!vetter)
		vetter = zs_vetter_new();
	return zs_vet(vetter, text, strlen(text), &options);
}

struct own_row {
	const char *command;
	bool matches;
};

#define CHECK_OWN(rule, rows) check_own_rows((rule), (rows), sizeof(rows) / sizeof *(rows))

static void check_own_rows(struct zs_own_rule rule, const struct own_row *rows, size_t count)
{
	static const enum zs_risk codes[] = { ZS_RISK_DENIED, ZS_RISK_ASKED, ZS_RISK_NONE };

	for (size_t i = 0; i < count; i++) {
		const struct zs_report *report = vet_by(ZS_PROFILE_RELAXED, &rule, 1, rows[i].command);
		enum zs_risk code = rows[i].matches ? codes[rule.ruling] : ZS_RISK_NONE;
		bool matched = false;

		for (uint32_t j = 0; j < report->ir.command_count; j++)
			matched |= report->rulings && report->rulings[j] == &rule;
		CHECK(report->code == code, "%s: %s: %s", rows[i].command, zs_risk_name(report->code), report->reason);
		CHECK(matched == rows[i].matches, "%s: %d", rows[i].command, matched);
	}
}

TEST(own_rules_find_the_command)
{
	static const struct own_row rows[] = {
		{ "git push", true },
		{ "git push origin main", true },
		{ "/usr/bin/git push", true },
		{ "git -C sub push", true },
		{ "git -c a.b=c --no-pager push x", true },
		{ "'g'it pu\\sh", true },
		{ "env A=1 git push", true },
		{ "timeout 9 git push", true },
		{ "nice -n 5 git push", true },
		{ "sh -c 'git push'", true },
		{ "bash -c \"sh -c 'git push'\"", true },
		{ "echo origin | xargs git push", true },
		{ "echo push | xargs git", true },
		{ "find . -exec git push {} \\;", true },
		{ "ls | cat; true && (git push)", true },
		{ "f() { git push; }; f", true },
		{ "x=push; git $x", true },
		{ "g='git push'; $g origin", true },
		{ "git $x", true },
		{ "git \"$x\"", true },
		{ "git $(cat f)", true },
		{ "git -C $dir status", true }, /* $dir may be two words */
		{ "frobnicate --now git push", true },
		{ "git p origin", true }, /* it may be an alias */
		{ "alias g=git; git push", true },
		{ "git fetch", false },
		{ "git -C \"$dir\" status", false },
		{ "git commit -m push", false },
		{ "git commit -m \"$x\"", false },
		{ "git log --oneline push", false },
		{ "echo git push", false },
		{ "echo 'git push' > f", false },
		{ "grep -r 'git push' .", false },
		{ "git status; ls push", false },
		{ "hg push", false },
		{ "ls $x", false },
	};

	CHECK_OWN(((struct zs_own_rule){ .command = "git push" }), rows);
	CHECK_OWN(((struct zs_own_rule){ .match = "git push *" }), rows);
	CHECK_OWN(((struct zs_own_rule){ .ruling = ZS_RULING_ASK, .command = "git push|send" }), rows);
}

TEST(own_rules_find_flags)
{
	static const struct own_row rows[] = {
		{ "git push --force", true },
		{ "git push origin main --force", true },
		{ "git push origin -f", true },
		{ "git push -vf", true },
		{ "git push -fu origin x", true },
		{ "git push --for", true },
		{ "git --no-pager push -f", true },
		{ "x=-f; git push $x", true },
		{ "git push $x", true },
		{ "git push origin \"$x\"", true },
		{ "git push *", true },
		{ "git push -$x", true },
		{ "git push --fo$x", true },
		{ "echo -f | xargs git push", true },
		{ "git push", false },
		{ "git push --force-with-lease", false },
		{ "git push --follow-tags", false },
		{ "git push origin f", false },
		{ "git push \"feature/$x\"", false },
		{ "git push ./*", false },
		{ "git push --tags=\"$x\"", false },
		{ "git push --tags=$x", true }, /* $x may be two words */
		{ "git fetch -f", false },
		{ "git fetch $x", false },
	};
	static const struct own_row letters[] = {
		{ "rm -rf a", true },
		{ "rm -fr a", true },
		{ "rm -r a -f", true },
		{ "rm --recursive -f a", false },
		{ "rm -r a", false },
		{ "rm -f a", false },
		{ "rm a", false },
		{ "rm *.o", false },
	};
	static const struct own_row values[] = {
		{ "gh api -X DELETE a", true },
		{ "gh api -XDELETE a", true },
		{ "gh api a -X \"$x\"", true },
		{ "gh api -X GET a", false },
		{ "gh api a", false },
	};
	static const struct own_row unless[] = {
		{ "git clean -fd", true },
		{ "git clean -fd $x", true },
		{ "git clean -fdn", true }, /* zs is certain of flags that stand alone */
		{ "git clean -fd -- -n", true },
		{ "git clean -fd -n", false },
		{ "git clean --dry-run -fd", false },
	};
	static const struct own_row one_dash[] = {
		{ "terraform apply -auto-approve", true },
		{ "terraform apply --auto-approve", true },
		{ "terraform apply", false },
	};

	CHECK_OWN(((struct zs_own_rule){ .command = "git push", .flags = "--force -f" }), rows);
	CHECK_OWN(((struct zs_own_rule){ .match = "rm -rf *" }), letters);
	CHECK_OWN(((struct zs_own_rule){ .command = "gh api", .flags = "-X=DELETE" }), values);
	CHECK_OWN(((struct zs_own_rule){ .command = "git clean", .unless = "-n --dry-run" }), unless);
	CHECK_OWN(((struct zs_own_rule){ .command = "terraform apply", .flags = "-auto-approve" }), one_dash);
}

TEST(own_rules_find_operands)
{
	static const struct own_row text[] = {
		{ "git push origin/main", true },
		{ "git push -v -- origin/main", true },
		{ "git push x ORIGIN/a", true },
		{ "git push origin/$x", true },
		{ "git push or$x", true },
		{ "git push $x", true },
		{ "git push \"$x\"", true },
		{ "git push up/$x", true }, /* $x may be two words */
		{ "git push \"up/$x\"", false },
		{ "git push upstream/main", false },
		{ "git push", false },
	};
	static const struct own_row paths[] = {
		{ "cat /etc/shadow", true }, { "cat /etc/../etc/shadow", true }, { "cat ../../etc/shadow", true },
		{ "cat /e*/shadow", true }, { "cat \"/etc/$x\"", true }, { "cat \"/$x/../b\"", true },
		{ "cat ~/.ssh/id", true }, { "cat $HOME/.ssh/id", true }, { "cat /home/ada/.ssh/id", true },
		{ "cd /home && cat ada/.ssh/id", true }, { "cat keys/a.pem", true },
		{ "cat ./sub/../keys/a.pem", true }, { "cat /srv/tally/keys/a.pem", true }, { "cat etc/shadow", false },
		{ "cat .ssh/id", false }, { "cat a/keys/b", false }, { "cat ~/a", false },
		{ "cat \"lib/$x\"", true }, /* $x may climb */
	};

	CHECK_OWN(((struct zs_own_rule){ .command = "git push", .operand = "origin/*" }), text);
	CHECK_OWN(((struct zs_own_rule){ .command = "cat", .operand = "/etc/* ~/.ssh/* ./keys/*" }), paths);
}

TEST(own_rules_of_exact_words)
{
	static const struct own_row rows[] = {
		{ "npm run deploy", true },
		{ "npm run $x", true },
		{ "npm run deploy $x", true },
		{ "npm run deploy now", false },
		{ "npm run deploy --fast", false },
		{ "npm run build", false },
	};
	static const struct own_row inner[] = {
		{ "aws s3 delete-bucket", true },
		{ "aws ec2 delete-vpc --x y", true },
		{ "aws s3 ls", false },
		{ "aws delete-x", false },
	};
	static const struct own_row script[] = {
		{ "./ci/deploy.sh prod", true },
		{ "ci/deploy.sh", true },
		{ "/srv/tally/ci/deploy.sh", true },
		{ "bash -c './ci/deploy.sh x'", true },
		{ "./deploy.sh", false },
	};

	CHECK_OWN(((struct zs_own_rule){ .match = "npm run deploy" }), rows);
	CHECK_OWN(((struct zs_own_rule){ .command = "aws * delete-*" }), inner);
	CHECK_OWN(((struct zs_own_rule){ .match = "./ci/deploy.sh *" }), script);
}

/* An allowed command is the rule's for certain. */
TEST(own_rules_allow_what_is_certain)
{
	static const struct own_row words[] = {
		{ "git push", true },
		{ "git push -f origin", true },
		{ "git push $x", true }, /* a star stands for any words */
		{ "env A=1 git push -f", true },
		{ "git -C x push", false },
		{ "/tmp/git push", false },
		{ "GIT push", false },
		{ "git $x", false },
		{ "git p", false },
	};
	static const struct own_row flags[] = {
		{ "git push", true },
		{ "git push -f", true },
		{ "git push origin --tags", true },
		{ "git push -fv", false },
		{ "git push --force", false },
		{ "git push --tag", false },
		{ "git push $x", false },
		{ "git push -- --mirror", false },
	};
	static const struct own_row operands[] = {
		{ "rm -r ./build/a", true },
		{ "rm build/a /srv/tally/build/b", true },
		{ "rm build/../src/a", false },
		{ "rm build/a src/a", false },
		{ "rm build/$x", false },
		{ "rm build/*", false },
		{ "rm", false },
		{ "cd ..; rm build/a", false },
	};
	struct zs_own_rule rule = { .ruling = ZS_RULING_ALLOW, .match = "git push *" };

	CHECK_OWN(rule, words);
	rule = (struct zs_own_rule){ .ruling = ZS_RULING_ALLOW, .command = "git push", .flags = "-f --tags" };
	CHECK_OWN(rule, flags);
	rule = (struct zs_own_rule){ .ruling = ZS_RULING_ALLOW, .command = "rm", .operand = "./build/*" };
	CHECK_OWN(rule, operands);
}

TEST(own_rules_first_match_wins)
{
	static const struct zs_own_rule rules[] = {
		{ ZS_RULING_ALLOW, .match = "git push *" },
		{ ZS_RULING_ASK, .command = "git push", .why = "it is shared" },
		{ ZS_RULING_DENY, .command = "git push", .flags = "-f", .why = "no force",
			.source = "the user's settings" },
		{ ZS_RULING_DENY, .command = "git push", .flags = "-f -d", .why = "second", .instead = "Ask Ada." },
	};
	const struct zs_report *report = vet_by(ZS_PROFILE_GUARD, rules, 4, "git push -f");

	CHECK(report->verdict == ZS_BLOCK && report->code == ZS_RISK_DENIED, "%s", zs_risk_name(report->code));
	CHECK(same(report->reason, "git push: no force (the user's settings deny it)"), "%s", report->reason);
	report = vet_by(ZS_PROFILE_GUARD, rules, 4, "git push -d x");
	CHECK(strstr(report->reason, "second") && same(report->hint, "Ask Ada."), "%s", report->reason);
	report = vet_by(ZS_PROFILE_GUARD, rules, 4, "git push x");
	CHECK(report->verdict == ZS_ASK && report->code == ZS_RISK_ASKED, "%s", zs_risk_name(report->code));
	CHECK(strstr(report->reason, "it is shared"), "%s", report->reason);
	/* allowed, so no longer a block of guard; but a person must agree */
	report = vet_by(ZS_PROFILE_GUARD, rules, 2, "git push -f");
	CHECK(report->verdict == ZS_ASK, "%s", zs_risk_name(report->code));
	/* a question lifts nothing */
	report = vet_by(ZS_PROFILE_GUARD, rules + 1, 1, "git push -f");
	CHECK(report->verdict == ZS_BLOCK && report->code == ZS_RISK_LOSES_WORK, "%s", zs_risk_name(report->code));
	/* a block of the profile comes before a question */
	report = vet_by(ZS_PROFILE_GUARD, rules, 4, "git push x; rm -rf ~");
	CHECK(report->verdict == ZS_BLOCK && report->code == ZS_RISK_DESTROYS, "%s", zs_risk_name(report->code));
}

/* allow lifts findings of its command alone, and some never. */
TEST(own_rules_lift_one_command)
{
	static const struct {
		const char *match, *command;
		enum zs_profile profile;
		enum zs_risk code;
	} rows[] = {
		{ "git push *", "git push -f", ZS_PROFILE_GUARD, ZS_RISK_NONE },
		{ "terraform apply *", "timeout 9 terraform apply -auto-approve", ZS_PROFILE_GUARD, ZS_RISK_NONE },
		{ "rm *", "rm -rf ~/x", ZS_PROFILE_GUARD, ZS_RISK_NONE },
		{ "scp *", "scp a h:", ZS_PROFILE_GUARD, ZS_RISK_NONE },
		{ "rm *", "rm a", ZS_PROFILE_VERIFY, ZS_RISK_NONE },
		{ "git add *", "git add .", ZS_PROFILE_VERIFY, ZS_RISK_NONE },
		{ "chmod *", "chmod +x a", ZS_PROFILE_VERIFY, ZS_RISK_NONE },
		{ "./deploy *", "frob x", ZS_PROFILE_VERIFY, ZS_RISK_UNKNOWN_COMMAND },
		{ "frob *", "frob x", ZS_PROFILE_VERIFY, ZS_RISK_NONE },
		/* its neighbours */
		{ "git push *", "git push -f; rm -rf ~", ZS_PROFILE_GUARD, ZS_RISK_DESTROYS },
		{ "git push *", "git push -f | ssh h x", ZS_PROFILE_GUARD, ZS_RISK_SENDS_OUT },
		{ "git push *", "git push -f && git reset --hard", ZS_PROFILE_GUARD, ZS_RISK_LOSES_WORK },
		{ "git push *", "git push -f > ~/x", ZS_PROFILE_GUARD, ZS_RISK_REDIRECT },
		{ "git push *", "git push -f $(rm -rf ~)", ZS_PROFILE_GUARD, ZS_RISK_DESTROYS },
		{ "xargs *", "ls | xargs rm", ZS_PROFILE_VERIFY, ZS_RISK_WRITE },
		{ "bash *", "bash -c 'rm -rf ~'", ZS_PROFILE_GUARD, ZS_RISK_DESTROYS },
		{ "git *", "git() { rm -rf ~; }; git push", ZS_PROFILE_GUARD, ZS_RISK_DESTROYS },
		/* never */
		{ "sudo *", "sudo ls", ZS_PROFILE_GUARD, ZS_RISK_PRIVILEGE },
		{ "echo *", "echo ${x@P}", ZS_PROFILE_GUARD, ZS_RISK_UNSUPPORTED },
		{ "echo *", "echo 'a", ZS_PROFILE_GUARD, ZS_RISK_SYNTAX_ERROR },
		{ "sh *", "cat f | sh", ZS_PROFILE_GUARD, ZS_RISK_OPAQUE_INTERPRETER },
		{ "sh", "cat f | sh", ZS_PROFILE_GUARD, ZS_RISK_OPAQUE_INTERPRETER },
		{ "eval *", "eval $x", ZS_PROFILE_GUARD, ZS_RISK_EVAL },
		{ "zs *", "zs trust", ZS_PROFILE_GUARD, ZS_RISK_GUARD },
		{ "crontab *", "crontab -e", ZS_PROFILE_GUARD, ZS_RISK_PERSISTS },
		{ "cd *", "cd /etc", ZS_PROFILE_STRICT, ZS_RISK_CD },
		{ "ls *", "LD_PRELOAD=x ls a", ZS_PROFILE_VERIFY, ZS_RISK_ENVIRONMENT },
		{ "python3 *", "python3 -c x", ZS_PROFILE_VERIFY, ZS_RISK_INLINE_CODE },
		{ "git *", "git $x", ZS_PROFILE_VERIFY, ZS_RISK_DYNAMIC_ARGUMENT },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct zs_own_rule rule = { .ruling = ZS_RULING_ALLOW, .match = rows[i].match };
		const struct zs_report *report = vet_by(rows[i].profile, &rule, 1, rows[i].command);

		CHECK(report->code == rows[i].code, "%s: %s: %s", rows[i].command, zs_risk_name(report->code),
			report->reason);
	}
}

/* Text that reaches a limit is blocked whatever the rules say. */
TEST(own_rules_end_at_a_limit)
{
	static struct zs_own_rule rules[3000];
	static char text[ZS_MAX_INPUT];
	size_t len = 0;

	for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
		rules[i] = (struct zs_own_rule){ .ruling = ZS_RULING_ALLOW, .match = "x" };
	while (len + 8 < sizeof text)
		len += (size_t)snprintf(text + len, sizeof text - len, "ls a;");
	CHECK(vet_by(ZS_PROFILE_RELAXED, rules, 3000, text)->code == ZS_RISK_LIMIT, "no limit");
	CHECK(vet_by(ZS_PROFILE_RELAXED, rules, 3, text)->verdict == ZS_ALLOW, "three rules");
}
