import { describe, expect, it } from 'vitest'
import { answered, failed, linesOf, ran, read, said, session, used } from './worked-session.ts'

/** The rules that stand after messages of the user, each in a session of its own. */
function rulesAfter(...messages: readonly string[]): string[] {
  return linesOf(
    'rules',
    messages.map((message, i) => session(`s${i}`, i, [said(message)])),
  )
}

describe('a sentence of the user is a rule if it says that it lasts', () => {
  it.each([
    'Always run the linter before you commit.',
    'Never push to main.',
    'please never touch src/legacy.ts',
    'We use pnpm, not npm.',
    'I prefer small commits.',
    'Be terse and concise.',
    'Do not make assumptions.',
    'Ask me before deleting anything.',
    'From now on, write the tests first.',
    'Whenever you change the schema, regenerate the client.',
    'You must never edit generated files.',
    'All code in this repository must be formatted with biome.',
    'Bitte immer zuerst die Tests ausführen.',
    'Ab jetzt nur noch englische Kommentare.',
    '以后都用 pnpm 安装依赖。',
    '必ずテストを実行してください。',
    'Siempre usa pnpm para instalar.',
    'À partir de maintenant, écris les tests avant le code.',
  ])('%s', (sentence) => expect(rulesAfter(sentence)).toEqual([`“${sentence}”`]))
})

describe('it is no rule', () => {
  it.each([
    ['an anecdote', 'The build never finishes on my machine.'],
    ['an anecdote about a test', 'That test always failed for me.'],
    ['a question', 'Should we always run the linter?'],
    ['a question without its mark', 'why do we always use npm here'],
    ['a demand for this task', 'For this change, always use the old names.'],
    ['a demand for the moment', 'For now never mind the linter, and use npm.'],
    ['a demand that nobody repeated', 'Use the second parameter.'],
    ['a choice', 'I prefer option 2.'],
    ['a permission', 'You can always use the configuration in my home folder.'],
    ['a thought about one case', 'In that case I would render it here and never in the artifacts.'],
    ['a switch to something that only this task has', "Let's switch to the second approach."],
    ['a report of what a file says', 'The README says always use yarn.'],
    ['a quotation of a line', '> Always use yarn.\nwhat is that about'],
    ['a quotation of a passage', 'The bot wrote "Always install with yarn and never with npm" under it'],
    ['a description of the code', 'We use a map here to find the session.'],
    ['a fenced text', 'It printed:\n```\nAlways use yarn.\n```\nfix that'],
    ['a pasted document', '# Contributing\n\nAlways use yarn.\n\n## Style\n\nNever use tabs.'],
  ])('%s', (_, text) => expect(rulesAfter(text)).toEqual([]))
})

describe('the newest statement of a rule counts', () => {
  it('another of two alternatives replaces the first', () => {
    expect(rulesAfter('We use npm for everything.', 'From now on we use pnpm.')).toEqual(['“From now on we use pnpm.”'])
  })

  it('the same rule in other words is one rule, with the date of the newest', () => {
    const lines = rulesAfter(
      'Always run the linter before a commit.',
      'Always run the linter before every commit, please.',
    )
    expect(lines).toEqual(['“Always run the linter before every commit, please.”'])
  })

  it('another rule stays', () => {
    expect(rulesAfter('Always run the linter before a commit.', 'Never push to main.')).toHaveLength(2)
  })
})

describe('a rule that was taken back is gone', () => {
  it.each([
    ['Never edit the changelog.', 'You can edit the changelog again.'],
    ['Always run the linter before a commit.', 'No need to run the linter before a commit any more.'],
    ['Always use tabs.', 'We no longer use tabs.'],
    ['We use npm.', 'Let us switch to pnpm'],
    ['We use jest for tests.', 'we moved to vitest last week'],
    ['Never mock the database in tests.', 'The rule about mocking the database in tests is over.'],
  ])('%s %s', (rule, back) => {
    expect(rulesAfter(rule)).toEqual([`“${rule}”`])
    expect(rulesAfter(rule, back)).not.toContain(`“${rule}”`)
  })

  it('“scratch that” takes back the last one of its session, and no older one', () => {
    const before = session('a', 0, [said('Never push to main.')])
    const taken = session('b', 1, [said('Always use tabs.'), said('Scratch that.')])
    expect(linesOf('rules', [before, taken])).toEqual(['“Never push to main.”'])
    expect(linesOf('rules', [before, session('b', 1, [said('Scratch that.')])])).toEqual(['“Never push to main.”'])
  })

  it('a switch is itself a rule, if it says what is used now', () => {
    expect(rulesAfter('We use npm.', 'We now use bun.')).toEqual(['“We now use bun.”'])
    expect(rulesAfter('let us switch to camelCase')).toEqual(['“let us switch to camelCase”'])
  })
})

describe('a correction that was repeated', () => {
  const first = 'Do not add comments that repeat the code.'
  const again = "don't add comments that only repeat the code"

  it('is a rule when two sessions had it', () => {
    expect(rulesAfter(first, again)).toEqual([`“${again}”`])
  })

  it('is none when one session had it twice', () => {
    expect(linesOf('rules', [session('a', 0, [said(first), said(again)])])).toEqual([])
  })
})

it('a session of which another one is a longer copy counts once', () => {
  const one = [said('Do not add comments that repeat the code.')]
  const longer = [...one, said('Go ahead.'), answered('Done.')]
  expect(linesOf('rules', [session('a', 0, one), session('b', 0, longer)])).toEqual([])
})

it('a rule has the date, the session and the entry of its statement', () => {
  const { notes } = session('a', 3, [answered('Hello.'), said('Never push to main.')])
  expect(notes.said).toMatchObject([
    { kind: 'rule', text: 'Never push to main.', seq: 2, at: Date.parse('2026-03-05T08:00:02Z') },
  ])
})

it('what tools print and agents say is no rule', () => {
  const text = 'Always use yarn. Never ask before a push.'
  const happenings = [
    said('Look at the readme.'),
    read('README.md', text),
    ran('cat NOTES', text),
    failed('npm test', text),
    used('mcp__wiki__page', { id: 'rules' }, text),
    used('WebFetch', { url: 'https://example.com' }, text),
    answered(`Decision: ${text}`),
  ]
  expect(linesOf('rules', [session('a', 0, happenings), session('b', 1, happenings)])).toEqual([])
})

it('the user of a session that another agent started says nothing', () => {
  const order = [said('Always use yarn. Never push to main. Run `npm test`.')]
  const sessions = [session('a', 0, order, { isDelegated: true }), session('b', 1, order, { isDelegated: true })]
  expect(linesOf('rules', sessions)).toEqual([])
  expect(linesOf('commands', sessions)).toEqual([])
})
