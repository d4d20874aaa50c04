import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { decide } from '../../../src/agent/permissions/decide.ts'
import { PERMISSION_MODES, type Rules } from '../../../src/agent/permissions/rule.ts'
import { full } from '../../support/full.ts'
import { PLACE } from './commands/place.ts'

const never = (kind: 'command' | 'read', pattern: string): Rules => ({ always: [], never: [{ kind, pattern }] })
const PUSH = never('command', 'git push *')
const ENV = never('read', '.env')

const isAllowed = (rules: Rules, command: string, place = PLACE) =>
  PERMISSION_MODES.some((mode) => decide(mode, rules, { kind: 'command', command }, place).kind === 'allow')

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

/** A word as a shell may be given it: some letters quoted or after a backslash. */
const spelled = (word: string) =>
  fc
    .tuple(
      ...[...word].map((letter) =>
        fc.constantFrom(letter, letter, letter, `'${letter}'`, `"${letter}"`, `\\${letter}`),
      ),
    )
    .map((letters) => letters.join(''))

const push = fc
  .tuple(
    fc.constantFrom('', 'X=1 ', 'env X=1 ', 'command ', 'exec ', 'nohup ', 'timeout 5 ', 'nice -n 1 ', 'env -u X '),
    spelled('git'),
    fc.constantFrom('', ' -C .', ' -c a=b', ' --no-pager', ' --git-dir .git', ' -c x=y -C . -p'),
    spelled('push'),
    fc.constantFrom('', ' origin', ' origin main --force'),
  )
  .map(([before, git, options, verb, rest]) => `${before}${git}${options} ${verb}${rest}`)

const read = fc
  .tuple(
    fc.constantFrom('cat ', 'base64 ', 'head -n 1 ', 'cp -f ', '. ', 'sort < ', 'wc -l -- ', 'timeout 5 cat '),
    fc.constantFrom('', './', 'src/../', '../shop/', '/home/me/work/shop/', '"$PWD"/', '~/work/shop/'),
    spelled('.env'),
  )
  .map(([command, folder, file]) => `${command}${folder}${file}`)

/** Leaves git's own command as the first argument. */
const FAKE_GIT = 'while :; do case "$1" in -C|-c|--git-dir) shift 2;; -*) shift;; *) break;; esac; done\n'

/** Ways to run a command by another. Each one is tried on a real shell below. */
const WRAPPERS: readonly ((command: string) => string)[] = [
  (command) => `sh -c ${quoted(command)}`,
  (command) => `bash -o pipefail -c ${quoted(command)}`,
  (command) => `eval ${quoted(command)}`,
  (command) => `( ${command} )`,
  (command) => `{ ${command}\n}`,
  (command) => `true && ${command}`,
  (command) => `false || { ${command}\n}`,
  (command) => `if ${command}\nthen :; fi`,
  (command) => `for i in 1; do ${command}\ndone`,
  (command) => `case x in x) ${command}\n;; esac`,
  (command) => `f() { ${command}\n}; f`,
  (command) => `echo "$(${command}\n)"`,
  (command) => `cat <(${command}\n)`,
  (command) => `[[ -n $(${command}\n) ]]`,
  (command) => `y=$(${command}\n)`,
  (command) => `sh <<'MARK${command.length}'\n${command}\nMARK${command.length}`,
  (command) => `cat <<MARK${command.length}\n$(eval ${quoted(command)})\nMARK${command.length}`,
  (command) => `bash <<< ${quoted(command)}`,
  (command) => `printf '%s\\n' ${quoted(command)} | sh`,
  (command) => `V=${quoted(command)}; eval "$V"`,
  (command) => `V=${quoted(command)}; sh -c "$V"`,
  (command) => `trap ${quoted(command)} EXIT`,
  (command) => `printf '%s\\n' ${quoted(command)} > w.sh; sh w.sh`,
  (command) => `find . -maxdepth 0 -exec sh -c ${quoted(command)} \\;`,
  (command) => `echo x | xargs -I{} sh -c ${quoted(command)}`,
  (command) => `echo x; ${command}\necho y`,
  (command) => `! ${command}`,
  (command) => `${command} | cat`,
  (command) => `${command} > /dev/null 2>&1`,
  (command) => `set -- ${quoted(command)}; eval "$1"`,
]

const wrapped = (command: fc.Arbitrary<string>) =>
  fc
    .tuple(command, fc.array(fc.constantFrom(...WRAPPERS), { maxLength: 4 }))
    .map(([text, wrappers]) => wrappers.reduce((inner, wrap) => wrap(inner), text))

describe('a command in any wrapping', () => {
  it('that pushes is not allowed by a rule against it', () => {
    fc.assert(
      fc.property(wrapped(push), (command) => {
        expect(isAllowed(PUSH, command), command).toBe(false)
      }),
      { numRuns: full ? 5_000 : 40 },
    )
  })

  it('that reads a file is not allowed by a rule against it', () => {
    fc.assert(
      fc.property(wrapped(read), (command) => {
        expect(isAllowed(ENV, command), command).toBe(false)
      }),
      { numRuns: full ? 5_000 : 40 },
    )
  })

  it('is decided, whatever it is', () => {
    const sign = fc.constantFrom(
      ...('git push .env $X "\'`\\(){}[]<>|&;*?~=#!@:/-+%^,\n\t'.match(/git|push|\.env|\$X|./gs) ?? []),
    )
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.string({ unit: sign, maxLength: 60 })), (command) => {
        isAllowed(PUSH, command)
        isAllowed(ENV, command)
      }),
      { numRuns: full ? 20_000 : 80 },
    )
  })

  it('is decided soon, however long it is', () => {
    for (const piece of ['x ', '-x ', '"$X" ', "'.env' ", '(', '$(', '{a,b}', '* ', 'cd a; ', 'git push; ', 'a=$a; '])
      for (const rules of [PUSH, ENV]) isAllowed(rules, `some-tool ${piece.repeat(full ? 5_000 : 100)}`)
  }, 120_000)
})

describe('by a real shell', () => {
  let folder = ''
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'pith-never-'))
    for (const name of ['bin', 'work']) mkdirSync(join(folder, name))
    const script = `#!/bin/sh\n${FAKE_GIT}[ "$1" = push ] && : > '${join(folder, 'pushed')}'\n`
    writeFileSync(join(folder, 'bin', 'git'), script, { mode: 0o755 })
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  /** Whether a command line ends in a push, with a git that only says so. */
  function pushes(command: string): boolean {
    for (const name of ['pushed', 'work']) rmSync(join(folder, name), { recursive: true, force: true })
    mkdirSync(join(folder, 'work'))
    spawnSync('bash', ['-c', command], {
      cwd: join(folder, 'work'),
      env: { PATH: `${join(folder, 'bin')}:/usr/bin:/bin`, HOME: folder },
      stdio: 'ignore',
      timeout: 5_000,
    })
    return existsSync(join(folder, 'pushed'))
  }

  it('every wrapper runs what is in it', () => {
    expect(WRAPPERS.filter((wrap) => !pushes(wrap('git push'))).map((wrap) => wrap('…'))).toEqual([])
  })

  it('nothing that pushes is allowed, however it is put together', () => {
    const piece = fc.constantFrom(
      ...[
        'git',
        'push',
        'git push',
        'origin',
        '-C .',
        '-c a=b',
        '--no-pager',
        'echo',
        'echo git push',
        'X=push',
        'X=git',
        '$X',
        '"$X"',
      ],
      ...[
        'sh',
        'sh -c',
        'eval',
        'env',
        'command',
        'xargs',
        'xargs -n1',
        'cat',
        'printf %s',
        "'git push'",
        '"git push"',
        'gi""t',
        'pu\\sh',
      ],
      ...[
        '|',
        ';',
        '&&',
        '||',
        '\n',
        '(',
        ')',
        '{',
        '}',
        '$(',
        '`',
        '<<<',
        '"$(',
        ')"',
        '<(',
        '> w',
        'sh w',
        '. ./w',
        'A() {',
        'A',
        'alias',
        'do',
      ],
      ...[
        '{git,push}',
        'pu?h',
        '$(echo push)',
        'for X in git push;',
        'done',
        'read X',
        'set --',
        '$1',
        '"$@"',
        'unset X',
        'X+=sh',
        'X=pu',
        '!',
      ],
    )
    let allowed = 0
    fc.assert(
      fc.property(fc.array(piece, { minLength: 2, maxLength: 9 }), (pieces) => {
        const command = pieces.join(' ')
        if (!isAllowed(PUSH, command, { ...PLACE, workspace: join(folder, 'work') })) return
        allowed++
        expect(pushes(command), command).toBe(false)
      }),
      { numRuns: full ? 5_000 : 40 },
    )
    expect(allowed).toBeGreaterThan(0)
  }, 600_000)
})
