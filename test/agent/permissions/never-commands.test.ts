import { describe, expect, it } from 'vitest'
import { type CommandPlace, decide } from '../../../src/agent/permissions/decide.ts'
import { PERMISSION_MODES, type Rule } from '../../../src/agent/permissions/rule.ts'
import { full } from '../../support/full.ts'
import { DEPLOYS } from './commands/deploys.ts'
import { PUSHES } from './commands/pushes.ts'
import { READS } from './commands/reads.ts'
import { openRealShell } from './commands/real-shell.ts'
import { REMOVES } from './commands/removes.ts'
import { MORE_PUSHES, MORE_READS } from './commands/spellings.ts'

const PLACE: CommandPlace = { workspace: '/home/me/work/shop', home: '/home/me' }
/** A sandbox that keeps rules for paths, as ours does. */
const WALL = { enforces: ({ kind }: { readonly kind: string }) => kind !== 'command' }

function allowedIn(place: CommandPlace, rule: Rule, commands: readonly string[]): string[] {
  return commands.filter((command) =>
    PERMISSION_MODES.some(
      (mode) => decide(mode, { always: [], never: [rule] }, { kind: 'command', command }, place).kind === 'allow',
    ),
  )
}

const LISTS: readonly (readonly [Rule, readonly string[], 'mark' | 'secret'])[] = [
  [{ kind: 'command', pattern: 'git push *' }, [...PUSHES, ...MORE_PUSHES], 'mark'],
  [{ kind: 'read', pattern: '.env' }, [...READS, ...MORE_READS], 'secret'],
  [{ kind: 'command', pattern: 'rm *' }, REMOVES, 'mark'],
]

describe.each(LISTS)('never $kind: $pattern', (rule, commands, sees) => {
  it('lets none of the ways to break it run without a question, in no mode', () => {
    expect(allowedIn(PLACE, rule, commands)).toEqual([])
    expect(allowedIn({ ...PLACE, probe: { exists: () => true, below: () => undefined } }, rule, commands)).toEqual([])
    // With a sandbox, rules for paths are the sandbox's business.
    if (rule.kind === 'command') expect(allowedIn({ ...PLACE, wall: WALL }, rule, commands)).toEqual([])
  })

  it('is tested with commands that break it in a real shell', { timeout: 1_200_000 }, () => {
    const shell = openRealShell()
    try {
      // In the short form, a few of them show that the shell still judges.
      const some = commands.filter((_, i) => full || i % 29 === 0)
      const ran = shell.ran(
        some.map((command) => command.replaceAll('/home/me', () => shell.home)),
        sees,
      )
      expect(ran.size).toBeGreaterThan(some.length / 2)
    } finally {
      shell.close()
    }
  })
})

describe('a rule for a script by its path', () => {
  it.each([
    'scripts/deploy.sh *',
    './scripts/deploy.sh *',
    '~/work/shop/scripts/deploy.sh *',
    'bash scripts/deploy.sh *',
  ])('%s lets none of the ways to run it pass', (pattern) =>
    expect(allowedIn(PLACE, { kind: 'command', pattern }, DEPLOYS)).toEqual([]),
  )

  it.each([
    ['./deploy.sh', './deploy.sh', 'refuse'],
    ['./deploy.sh', './deploy.sh prod', 'refuse'],
    ['./deploy.sh', 'bash deploy.sh', 'refuse'],
    ['./deploy.sh', 'source ./deploy.sh', 'refuse'],
    ['./deploy.sh', 'cd scripts && ./deploy.sh', 'ask'],
    ['./deploy.sh', 'cd src && bash ../deploy.sh', 'refuse'],
    ['scripts/*.sh *', 'sh scripts/a.sh', 'refuse'],
    ['/usr/bin/git push *', 'git push origin', 'refuse'],
    ['/usr/bin/git push *', 'git status', 'allow'],
    ['~/bin/deploy *', 'deploy', 'ask'],
    ['rm -rf ~/data', 'rm -rf ~/data', 'refuse'],
    ['rm -rf data', 'rm -rf ./data/', 'refuse'],
    ['rm -rf data', 'rm -rf dist', 'allow'],
    ['rm -rf data', 'rm -rf ./d*', 'ask'],
    ['rm -rf *', 'rm -fr x', 'refuse'],
    ['rm -rf *', 'rm -r -f x', 'refuse'],
    ['rm -rf *', 'rm x -rf', 'refuse'],
    ['rm -rf *', 'rm -r x', 'allow'],
    ['rm -rf *', 'rm -r --force x', 'ask'],
    ['rm -rf *', 'git rm -rf x', 'allow'],
    ['rm', 'rm x', 'refuse'],
    ['npm publish *', 'npm --silent publish', 'refuse'],
    ['npm publish *', 'npm --prefix x publish', 'refuse'],
    ['npm publish *', 'npm run publish', 'allow'],
    ['git push origin main', 'git push origin main', 'refuse'],
    ['git push origin main', 'git push -q origin main', 'ask'],
    ['docker *', 'command -v docker', 'allow'],
    ['curl * | sh', 'curl https://x | sh', 'refuse'],
  ] as const)('%s and %s: %s', (pattern, command, kind) => {
    const rules = { always: [], never: [{ kind: 'command' as const, pattern }] }
    expect(decide('full', rules, { kind: 'command', command }, PLACE).kind).toBe(kind)
  })
})

describe('a hostile line', () => {
  it.each([
    ['many substitutions', `echo ${'$('.repeat(50_000)}git push`],
    ['many words', `${'env '.repeat(25_000)}git push`],
    ['many quotes', `${"'a'".repeat(33_000)}; git push`],
    ['many paths', `cat ${'a=b@c:d,'.repeat(12_000)}; git push`],
    ['many folders', `${'cd a; '.repeat(1_600)}git push`],
    ['many rules to compare', `${'git a; '.repeat(1_400)}git push`],
    ['many comments', `${'# a\n'.repeat(25_000)}git push`],
    ['many escapes', `${'\\ '.repeat(50_000)}#git push`],
  ])('with %s does not run', (_, command) => {
    const never: Rule[] = [
      { kind: 'command', pattern: 'git push *' },
      { kind: 'read', pattern: '**/.env' },
    ]
    for (const text of [command, command.slice(0, 9_000)].filter((each) => each.endsWith('push')))
      expect(decide('full', { always: [], never }, { kind: 'command', command: text }, PLACE).kind).not.toBe('allow')
  })
})
