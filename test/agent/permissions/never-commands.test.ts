import { describe, expect, it } from 'vitest'
import { decide } from '../../../src/agent/permissions/decide.ts'
import { PERMISSION_MODES, type Rules } from '../../../src/agent/permissions/rule.ts'
import { full } from '../../support/full.ts'
import { AROUND_DEPLOY, DEPLOYS } from './commands/deploys.ts'
import { EVERYDAY, ORDINARY } from './commands/ordinary.ts'
import { PLACE } from './commands/place.ts'
import { PUSHES } from './commands/pushes.ts'
import { READS } from './commands/reads.ts'

const never = (...rules: Rules['never']): Rules => ({ always: [], never: rules })
const PUSH = { kind: 'command', pattern: 'git push *' } as const
const ENV = { kind: 'read', pattern: '.env' } as const

const kindIn = (mode: (typeof PERMISSION_MODES)[number], rules: Rules, command: string) =>
  decide(mode, rules, { kind: 'command', command }, PLACE).kind

/**
 * It is allowed in no mode, and refused in `full`, which never asks. In the short form each command meets one of the other
 * modes; never-commands.property.test.ts tries all of them.
 */
function expectNever(rules: Rules, command: string): void {
  expect(kindIn('full', rules, command)).toBe('refuse')
  const others = PERMISSION_MODES.filter((mode) => mode !== 'full')
  for (const mode of others.filter((_, i) => full || i === command.length % others.length))
    expect(kindIn(mode, rules, command), mode).not.toBe('allow')
}

describe('never command: git push *', () => {
  it.each(PUSHES)('does not let %s run', (command) => {
    expectNever(never(PUSH), command)
  })
})

describe('never read: .env', () => {
  it.each(READS)('does not let %s run', (command) => {
    expectNever(never(ENV), command)
  })
})

const PATTERNS = [
  'scripts/deploy.sh *',
  './scripts/deploy.sh *',
  '/home/me/work/shop/scripts/deploy.sh *',
  '~/work/shop/scripts/deploy.sh *',
  'bash scripts/deploy.sh *',
  'source ./scripts/deploy.sh *',
]

describe.each(PATTERNS)('never command: %s', (pattern) => {
  const rules = never({ kind: 'command', pattern })
  /** In the short form each command meets one of the patterns. */
  const some = (commands: readonly string[]) =>
    commands.filter((_, i) => full || i % PATTERNS.length === PATTERNS.indexOf(pattern))

  it.each(some(DEPLOYS))('does not let %s run', (command) => {
    expectNever(rules, command)
  })

  it.each(some([...AROUND_DEPLOY, ...ORDINARY]))('lets %s run', (command) => {
    expect(decide('full', rules, { kind: 'command', command }, PLACE)).toEqual({ kind: 'allow' })
  })
})

describe('a path in a never rule for a command', () => {
  it.each([
    ['./deploy.sh', './deploy.sh', 'refuse'],
    ['./deploy.sh', 'bash deploy.sh', 'refuse'],
    ['./deploy.sh', 'bash ./deploy.sh', 'refuse'],
    ['./deploy.sh', 'source ./deploy.sh', 'refuse'],
    ['./deploy.sh', 'cd scripts && ./deploy.sh', 'allow'],
    ['./deploy.sh', 'cd src && bash ../deploy.sh', 'refuse'],
    ['./deploy.sh prod', './deploy.sh test', 'allow'],
    ['./deploy.sh prod', 'bash ./deploy.sh test', 'allow'],
    ['./deploy.sh prod', 'bash ./deploy.sh prod', 'refuse'],
    ['scripts/*.sh *', 'sh scripts/a.sh', 'refuse'],
    ['scripts/*.sh *', 'python3 scripts/a.py', 'allow'],
    ['*/deploy.sh *', 'cd a && b/deploy.sh', 'refuse'],
    ['/usr/bin/git push *', 'git push', 'refuse'],
    ['/home/me/work/shop/bin/test *', 'bin/test a', 'refuse'],
    ['/home/me/work/shop/bin/test *', 'test -f a', 'allow'],
    ['rm -rf ~/data', 'rm -rf ~/data', 'refuse'],
    ['rm -rf ~/data', 'rm -rf ./data', 'allow'],
    ['rm -rf ~', 'rm -rf "$HOME"', 'refuse'],
    ['cat $HOME/.aws/credentials', 'cat ~/.aws/credentials', 'refuse'],
    [`$\{HOME}/bin/deploy *`, '~/bin/deploy prod', 'refuse'],
    ['~/bin/deploy *', '$HOME/bin/deploy', 'refuse'],
    ['~/bin/deploy *', 'deploy', 'refuse'],
    ['/usr/bin/git push *', 'git push origin', 'refuse'],
    ['/usr/bin/git push *', '/usr/local/bin/git -C . push', 'refuse'],
    ['/usr/bin/git push *', 'git pull', 'allow'],
    ['./test *', 'test -f a', 'allow'],
    ['./deploy.sh *', 'bash -n ./deploy.sh', 'allow'],
    ['./deploy *', 'go build -o deploy .', 'allow'],
    ['./deploy *', 'gcc -o ./deploy deploy.c', 'allow'],
    ['node scripts/deploy.js', 'node ./scripts/deploy.js', 'refuse'],
    ['node scripts/deploy.js', 'cd scripts && node deploy.js', 'refuse'],
    ['node scripts/deploy.js', 'node scripts/build.js', 'allow'],
    ['rm -rf data', 'rm -rf ./data/', 'refuse'],
    ['rm -rf data', 'rm -rf ../shop/data', 'refuse'],
    ['rm -rf data', 'rm -rf ../data', 'allow'],
  ] as const)('%s and %s: %s', (pattern, command, kind) => {
    expect(kindIn('full', never({ kind: 'command', pattern }), command)).toBe(kind)
  })

  it('is reported as broken, not only as doubtful, if the text shows it', () => {
    const rules = never({ kind: 'command', pattern: './deploy.sh *' })
    const commands = ['./deploy.sh', 'bash deploy.sh x', 'sh ./deploy.sh', '. ./deploy.sh', 'cd src && ../deploy.sh']
    for (const command of commands) expect(kindIn('ask', rules, command), command).toBe('refuse')
  })
})

it('a command that enters hundreds of folders is read to its end', () => {
  const enter = (name: string) => `env ${`-C ${name} `.repeat(200)}`
  const command = `${enter('a')} bash -c '${enter('b')} bash -c "${enter('c')} cat .env"'`
  expect(kindIn('full', never(ENV), command)).toBe('refuse')
})

describe('a tangled command line', () => {
  /** Half of it in the short form: what grows with the square, or faster, takes a fraction of the time. */
  const some = (count: number) => (full ? count : count / 2)
  const doubled = Array.from({ length: 40 }, (_, i) => `a${i + 1}="$a${i}$a${i}"`).join(';')

  it.each([
    ['many commands after find', `find .${' -exec'.repeat(some(1_000))} git push`],
    ['find in find', `${'find . -exec '.repeat(some(300))}git push`],
    ['xargs in xargs', `${'xargs '.repeat(some(1_500))}git push`],
    ['many words for parallel', `parallel ${'{} '.repeat(some(300))} ::: ${'pull '.repeat(some(300))}; git push`],
    ['many marks and folders', `find ${'a '.repeat(some(300))} -exec ls ${'{}'.repeat(some(3_000))} \\;; git push`],
    ['many included names', `grep -r x ${'--include=*.ts '.repeat(some(1_000))}${'a '.repeat(some(1_000))}; git push`],
    ['many backticks', `echo ${'``'.repeat(some(10_000))}; git push`],
    ['many substitutions in others', `echo ${'$('.repeat(some(10_000))}git push`],
    ['many words in front', `${'env '.repeat(some(20_000))}git push`],
    ['variables of variables', `a0=xxxxxxxx; ${doubled}; ls "$a40"; git push`],
    ['a long line', `echo ${'a'.repeat(some(1_000_000))}; git push`],
  ])('with %s is judged to its end, and does not run', (_, command) => {
    expect(kindIn('full', never(PUSH, ENV), command)).toBe('refuse')
  })

  it('is described in one plain line', () => {
    const command = `${'xargs '.repeat(2_000)}ls`
    expect(decide('full', never(PUSH), { kind: 'command', command }, PLACE)).toEqual({
      kind: 'refuse',
      reason:
        'Not run: it may be what the user forbids (never command: git push *), because of: too many commands or words in one line. Write out each command and file, or use other tools.',
    })
  })

  it.each([
    ['writes a long file', `cat > a.md <<'END'\n${'Some `code` and $(text).\n'.repeat(4_000)}END`],
    ['runs a long script', `python3 - <<'END'\n${'print("a line of code")\n'.repeat(2_000)}END`],
    ['names many files', `git add ${Array.from({ length: 2_000 }, (_, i) => `src/file-${i}.ts`).join(' ')}`],
    ['finds with several commands', `find src ${'-exec grep -l x {} \\; '.repeat(20)}`],
  ])('is not one that %s', (_, command) => {
    expect(decide('full', never(PUSH, ENV), { kind: 'command', command }, PLACE)).toEqual({ kind: 'allow' })
  })
})

describe('a usual set of never rules', () => {
  const rules = never(
    { kind: 'read', pattern: '/home/me/.ssh/**' },
    PUSH,
    { kind: 'command', pattern: 'rm -rf *' },
    { kind: 'edit', pattern: '.env' },
  )

  it.each(EVERYDAY)('lets %s run', (command) => {
    expect(decide('full', rules, { kind: 'command', command }, PLACE)).toEqual({ kind: 'allow' })
  })
})

describe('neither rule', () => {
  it.each(ORDINARY)('is about %s', (command) => {
    expect(decide('full', never(PUSH, ENV), { kind: 'command', command }, PLACE)).toEqual({ kind: 'allow' })
  })
})
