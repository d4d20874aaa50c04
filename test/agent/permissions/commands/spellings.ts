/** Ways to run a program that are combined with the ways to write it: most of them make a command that does it. */
const RUNNERS: readonly string[] = [
  '%',
  'cd src; cd .. && %',
  'true && %',
  'ls | %',
  'ls; %; ls',
  'env %',
  'env -u X %',
  'command %',
  'nice %',
  'timeout 9 %',
  'time %',
  'xargs % </dev/null',
  'find . -maxdepth 0 -exec % \\;',
  "bash -c '%'",
  "eval '%'",
  'echo "$(%)"',
  'if %; then :; fi',
  '{ %; }',
  '(%)',
  'f() { %; }; f',
  '% > log',
  'NODE_ENV=test %',
  '[ -e .env ] && %',
  'set -e; %',
]

const PUSH: readonly string[] = [
  'git push',
  'git  push origin main',
  'git -C . push',
  'git --no-pager push',
  'git -c a.b=c push',
  'gi""t push',
  'git pu\\sh',
  'git "push"',
  '/usr/bin/git push origin main',
]

const READERS: readonly string[] = [
  'cat %',
  'head -n 5 %',
  'tail -1 %',
  'grep . %',
  'grep -e KEY -- %',
  'sed -n 1p %',
  'sed -n -e 1p %',
  'sort %',
  'cut -c1- %',
  'nl %',
  'paste %',
  'diff % /dev/null',
  'base64 %',
  'od -c %',
  'awk 1 %',
  'cat < %',
  'cp % copy',
  'git diff --no-index /dev/null %',
  'rev % | rev',
  'tee copy < %',
  'uniq %',
  'tac %',
  'cd src && cat ../% && cat %; cat %',
]

const ENV: readonly string[] = [
  '.env',
  './.env',
  'src/../.env',
  '../shop/.env',
  '"$PWD/.env"',
  '.e*',
  './.en?',
  './.[e]nv',
  '{.en""v,list.txt}',
  '.e"n"v',
  "$'.env'",
  '~/work/shop/.env',
  '$(cat list.txt)',
  '/proc/self/cwd/.env',
]

const combined = (outer: readonly string[], inner: readonly string[]): string[] =>
  outer.flatMap((way) => inner.map((each) => way.replaceAll('%', () => each)))

/** Some do not work in a shell (`eval` of a quote in a quote): the shell in the test says which. */
export const MORE_PUSHES: readonly string[] = combined(RUNNERS, PUSH)
export const MORE_READS: readonly string[] = combined(READERS, ENV)
