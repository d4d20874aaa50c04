import { describe, expect, it } from 'vitest'
import { readScript } from '../../../../src/agent/permissions/shell/read-script.ts'

/** The commands that a command line runs, word by word, and after `?` the parts that its text does not show. */
function readingOf(command: string): string[] {
  const { runs, doubts } = readScript(command, { workspace: '/shop', home: '/home/me' })
  const texts = runs.map(({ words }) => words.map(({ text }) => text ?? '…').join(' '))
  return [...texts.filter((text) => text !== ''), ...doubts.map((doubt) => `? ${doubt}`)]
}

/** The same without the first command itself. */
const launchedBy = (command: string) => readingOf(command).slice(1)

describe('a shell', () => {
  it.each<[string, ...string[]]>([
    ["sh -c 'a b'", 'a b'],
    ["/bin/sh -c 'a b'", 'a b'],
    ["bash -lc 'a b'", 'a b'],
    ["bash -c -- 'a b'", 'a b'],
    ["bash +x -c 'a b'", 'a b'],
    ["bash -c 'a' b c", 'a'],
    ['bash -c "$X"', '? "$X"'],
    ['bash -c', ''],
    ['zsh -c a', 'a'],
    ['dash -c a', 'a'],
    ['ksh -c a', 'a'],
    ['ash -c a', 'a'],
    ['fish -c a', 'a'],
    ['csh -c a'],
    ['bash --version'],
    ['bash --help'],
    ['bash x.sh', './x.sh'],
    ['bash -o pipefail x.sh', './x.sh'],
    ['bash +o history x.sh', './x.sh'],
    ['bash -O extglob x.sh', './x.sh'],
    ['bash -eo pipefail x.sh', './x.sh'],
    ['sh', '? | sh'],
    ['sh -e', '? | sh'],
    ['sh -o pipefail', '? | sh'],
    ['sh < f', '? | sh'],
    ['sh $X', '? $X'],
    ['sh /dev/fd/63', '? /dev/fd/63'],
    ['sh -s x.sh', '? | sh'],
    ['sh -', '? | sh'],
    ['sh /dev/stdin', '? | sh'],
    ["bash <<< 'a b'", 'a b'],
    ["bash -s <<< 'a b'", 'a b'],
    ["bash - <<< 'a b'", 'a b'],
    ["bash /dev/stdin <<< 'a b'", 'a b'],
    ["source /dev/fd/0 <<< 'a b'", 'a b'],
    ["bash x.sh <<< 'a b'", './x.sh'],
    ['bash /bin/x.sh a b', '/bin/x.sh a b'],
    ['bash -n x.sh'],
    ['bash -n +n x.sh', './x.sh'],
    ['source x.sh', './x.sh'],
    ['source $X', '? $X'],
    ['. $X', '? $X'],
    ['source'],
  ])('%s', (command, ...runs) => {
    expect(launchedBy(command).join()).toBe(runs.join())
  })

  it('fed with an output that is not known is in doubt', () => {
    expect(readingOf('y | sh')).toEqual(['y', 'sh', '? | sh'])
    expect(readingOf("echo 'a b' | sh")).toEqual(['echo a b', 'sh', 'a b'])
    expect(readingOf('sh <(echo a)')).toEqual(['echo a', 'sh /dev/fd/63', '? <(echo a)'])
  })
})

describe('a file that the same script has written', () => {
  it.each([
    'bash x.sh',
    'bash -x x.sh',
    'bash -o pipefail x.sh',
    'bash -euo pipefail x.sh',
    './x.sh',
    '/shop/x.sh',
    'source x.sh',
    '. ./x.sh',
    'cd sub && sh ../x.sh',
  ])('is run by %s', (command) => {
    expect(readingOf(`echo 'a b' > x.sh; ${command}`)).toContain('a b')
  })

  it.each(['x.sh', 'bash y.sh', 'cat x.sh', 'bash -c x.sh', './y.sh'])('is not run by %s', (command) => {
    expect(readingOf(`echo 'a b' > x.sh; ${command}`)).not.toContain('a b')
  })

  it.each([
    ["printf 'a b' > x.sh", ['a b']],
    ["cat > x.sh <<< 'a b'", ['a b']],
    ["cat > x.sh <<'E'\na b\nE", ['a b']],
    ["cat - > x.sh <<< 'a b'", ['a b']],
    ["tee x.sh <<< 'a b'", ['a b']],
    ["tee y.sh x.sh <<< 'a b'", ['a b']],
    ["echo a > x.sh; echo 'b c' >> x.sh", ['a', 'b c']],
    ["echo 'a b' > y.sh", []],
    ["echo 'a b' < x.sh", []],
    ['y > x.sh', []],
    ['cat f > x.sh', []],
    ['echo "a $B" > x.sh', []],
  ])('has what %j puts there', (written, runs) => {
    const reading = readingOf(`${written}\nsh x.sh`)
    expect(reading.slice(reading.indexOf('sh x.sh') + 1)).toEqual(['./x.sh', ...runs])
  })
})

describe('words that are a command', () => {
  it.each<[string, ...string[]]>([
    ['eval a b', 'a b'],
    ['eval "a; b"', 'a', 'b'],
    ['eval $X', '? $X'],
    ['eval a $X', '? $X'],
    ["trap 'a b' EXIT", 'a b'],
    ['trap $X EXIT', '? $X'],
    ['trap a $X', 'a'],
    ['command git', 'git'],
    ['command -v git'],
    ['command -V git'],
    ['sudo -u me a b', 'a b'],
    ['env X=1 a b', 'a b'],
    ['env'],
    ['timeout 5 a $X', 'a …'],
    ['sudo env nice a', 'a'],
    ['$X a'],
  ])('%s', (command, ...runs) => {
    expect(launchedBy(command)).toEqual(runs)
  })
})

describe('an alias', () => {
  it('is run with the words after it', () => {
    expect(readingOf("alias p='git push'; p origin '$X'")).toEqual([
      'alias p=git push',
      'p origin $X',
      'git push origin $X',
    ])
    expect(readingOf('alias p=a q=b; q')).toContain('b')
    expect(readingOf("alias 'p=a'; p")).toContain('a')
  })

  it('of the command that it is called after is that command', () => {
    expect(readingOf("alias ls='ls -l'; ls a")).toEqual(['alias ls=ls -l', 'ls a'])
  })
})

describe('an interpreter', () => {
  it.each([
    ...['python', 'python3', 'python3.12', 'pypy3', 'node', 'nodejs', 'deno', 'bun', 'ruby', 'perl', 'php', 'lua'],
    ...['osascript', 'tclsh', 'Rscript', 'julia'],
  ])('%s with code from a variable is in doubt', (name) => {
    expect(launchedBy(`${name} -e "$X"`)).toEqual(['? "$X"'])
  })

  it.each<[string, ...string[]]>([
    ['python3 -c "$X"', '? "$X"'],
    ['python3 -Ic "$X"', '? "$X"'],
    ['node -p "$X"', '? "$X"'],
    ['node --eval "$X"', '? "$X"'],
    ['node --print "$X"', '? "$X"'],
    ['deno eval "$X"', '? "$X"'],
    ['php -r "$X"', '? "$X"'],
    ['perl -ne "$X" f', '? "$X"'],
    ['python3 -c x'],
    ['python3 -m "$X"'],
    ['python3 -u'],
    ['python3 x.py'],
    ['python3 $X'],
    ['python3 < f', '? | python3'],
    ['python3 - < f', '? | python3'],
    ['python3 x.py < f'],
    ['python3 "$X" < f'],
    ['python3 <<< x'],
    ['xpython3 -c "$X"'],
    ['nodes -e "$X"'],
  ])('%s', (command, ...runs) => {
    expect(launchedBy(command).join()).toBe(runs.join())
  })
})

describe('a variable that programs run', () => {
  it.each([
    ...['PAGER', 'EDITOR', 'VISUAL', 'BROWSER', 'BASH_ENV', 'ENV', 'PROMPT_COMMAND', 'GIT_EDITOR', 'GIT_PAGER'],
    ...['GIT_SSH', 'GIT_SSH_COMMAND', 'GIT_ASKPASS', 'GIT_SEQUENCE_EDITOR'],
  ])('%s is read as a command', (name) => {
    expect(readingOf(`${name}='a b' y`)).toEqual(['a b', 'y'])
    expect(readingOf(`${name}="$X" y`)).toEqual(['y', '? "$X"'])
  })

  it.each([
    ['GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=core.editor GIT_CONFIG_VALUE_0=a git commit', '? core.editor'],
    ['GIT_CONFIG_KEY_12=alias.p git p', '? alias.p'],
    ['GIT_CONFIG_KEY_0="$X" git commit', '? "$X"'],
    ['env GIT_CONFIG_KEY_0=alias.p git p', 'git p', '? GIT_CONFIG_KEY_0=alias.p'],
    ['env GIT_CONFIG_KEY_0=safe.directory git log', 'git log'],
    [`GIT_CONFIG_PARAMETERS="'core.editor=a'" git commit`, `? "'core.editor=a'"`],
    ['GIT_CONFIG_KEY_0=safe.directory GIT_CONFIG_VALUE_0=/shop git log'],
    ['GIT_CONFIG_KEY_0="url.https://$TOKEN@example.org/.insteadOf" git fetch'],
    ['GIT_CONFIG_GLOBAL=/dev/null git log'],
    ['GIT_CONFIG_PARAMETERS= git log'],
  ])('gives git a setting that may be a command: %s', (command, ...doubts) => {
    expect(launchedBy(command)).toEqual(doubts)
  })

  it.each(['MY_PAGER', 'PAGERS', 'GIT_DIR', 'GIT_EDITORS'])('%s is not', (name) => {
    expect(readingOf(`${name}='a b' y`)).toEqual(['y'])
  })
})
