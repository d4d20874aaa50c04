const set = (names: string): ReadonlySet<string> => new Set(names.split(' '))

/** Commands whose words are texts, numbers or names, and never files to read. */
export const READS_NO_FILES = set(
  'echo printf : true false test [ exit return break continue shift wait sleep kill pkill pgrep ps jobs fg bg disown ' +
    'cd pushd popd pwd dirs export unset set shopt local declare typeset readonly read getopts let expr seq date which ' +
    'type hash command alias unalias trap umask ulimit mkdir ls find stat du df tree basename dirname realpath readlink ' +
    'uname whoami id hostname',
)

/** Commands that do not run others and do not contain code: a forbidden name in their words is only a text. */
export const RUNS_NOTHING: ReadonlySet<string> = new Set([
  ...READS_NO_FILES,
  ...set(
    'cat tac head tail wc sort uniq cut tr tee cp mv rm rmdir touch ln chmod chown file grep egrep fgrep zgrep rg ag ' +
      'diff cmp comm paste fold nl od xxd hexdump base64 md5sum sha1sum sha256sum gzip gunzip zcat bzip2 xz unzip less ' +
      'more column jq yq curl wget gh npm yarn pnpm tsc eslint prettier biome cargo docker-compose',
  ),
])

/** Tools with subcommands: `docker rm` is not `rm`. */
export const HAS_COMMANDS = set(
  'git npm pnpm yarn docker podman kubectl cargo go gh brew apt apt-get pip pip3 uv poetry bundle conda systemctl aws ' +
    'gcloud az heroku terraform composer mix dotnet svn hg jj make just task rake helm flyctl vercel',
)

/** Commands that change or remove the files they name, in addition to those that the engine knows. */
export const CHANGES_FILES = set('rmdir unlink chmod chown rsync unzip tar ed ex vi vim nvim nano shred')

/** Commands whose first operand is a pattern or a program, unless an option gives it. */
export const PATTERN_FIRST = set('grep egrep fgrep zgrep rg ag sed awk gawk mawk jq yq perl')

/** Commands that do not run the files they are given, but may run commands in their code or options. */
export const GIVEN_FILES = set(
  'sed awk gawk mawk vi vim nvim nano emacs code bat shellcheck shfmt dos2unix tar zip unzip rsync scp install dd patch ' +
    'strings objdump nm strip gcc g++ cc clang clang++ rustc go',
)

export const SHELLS = set('sh bash zsh dash ksh ash fish')

/** Programs that run the code of a file. */
export const INTERPRETERS =
  /^(?:python[\d.]*|pypy\d*|node|nodejs|deno|bun|ruby|perl|php|lua|osascript|tclsh|Rscript|julia)$/

/** The names and paths in a piece of code, in order. A text that is concatenated from pieces (`'.e' + 'nv'`) counts as one. */
export function codeTokens(code: string): string[] {
  return (
    code
      // The lookbehind excludes separate texts, such as the folder in `['git', '-C', '.', 'push']`.
      .replace(/(?<=[^\s,([{:=])(['"])\s{0,20}[+.]?\s{0,20}\1/g, '')
      .split(/[^\w.~/@%+:-]+/)
      .filter((token) => token !== '')
  )
}
