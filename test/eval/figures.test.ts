import { expect, it } from 'vitest'
import { figuresOf, partFigures, tooFew } from '../../src/eval/figures.ts'
import { inventedIn } from '../../src/eval/probes/invented.ts'

const of = (part: number, whole: number) => ({ part, whole })
const ONE = {
  messages: of(3, 4),
  rules: of(1, 2),
  decisions: of(1, 2),
  'stale rules': of(1, 2),
  ledger: of(3, 5),
  wrong: of(1, 5),
  next: of(5, 5),
  'next without lists': of(2, 5),
  'reduced: command 1': of(1, 2),
  'reduced: url 1': of(0, 1),
  'reduced: command 4': of(1, 1),
  'valid: anthropic': of(1, 1),
  'valid: openai-chat': of(0, 1),
  'valid: openai-responses': of(0, 1),
  'valid: gemini': of(0, 1),
  tokens: of(100, 1),
  cost: of(7, 1),
}

it('subtracts what is stale or wrong, takes lists out, and gives every age the same weight', () => {
  expect(figuresOf([ONE])).toEqual({
    'user said': 0.5,
    'files and checks': 0.4,
    'facts at all ages': 0.625,
    'next calls': 0.4,
    tokens: 100,
    cost: 7,
  })
  expect(partFigures([ONE])).toMatchObject({ ledger: 0.6, next: 1, valid: 0.25, 'facts, oldest quarter': 0.25 })
})

it('adds sessions up, so that one with many questions counts for more', () => {
  const other = { ledger: of(15, 15), wrong: of(0, 15), tokens: of(300, 1) }
  expect(figuresOf([ONE, other])).toMatchObject({ 'files and checks': 0.85, tokens: 200 })
})

it('leaves out a row with fewer than twenty questions', () => {
  const asked = (whole: number) => [{ ...ONE, ledger: of(0, whole), messages: of(0, 16), next: of(1, 30) }]
  expect(tooFew(asked(19))).toEqual([
    { row: 'files and checks', asked: 19 },
    { row: 'facts at all ages', asked: 4 },
  ])
  expect(tooFew(asked(20))).toEqual([{ row: 'facts at all ages', asked: 4 }])
})

it('calls a file, an address or a hash invented that nobody said, and no word that only has a dot in it', () => {
  const source = 'It is in lib/known.ts or D:\\app\\main.go, says https://example.org/1.'
  const said = (content: string) => inventedIn([{ role: 'user', content }], source).invented
  expect(said('See src/none.ts and known.ts, e.g. www.example, Node.exits and 1.5.x.')).toEqual(['src/none.ts'])
  expect(said('known.ts, ./known.ts, /home/me/lib/known.ts, app/main.go and https://example.org/1')).toEqual([])
  expect(said('https://example.org/known.ts')).toEqual(['https://example.org/known.ts'])
  expect(said('src/other.ts:12 and lib/known.ts:3')).toEqual(['src/other.ts'])
  expect(said('src/known.ts, https://other.org/1')).toEqual(['src/known.ts', 'https://other.org/1'])
  expect(said('+other.ts\n-known.ts')).toEqual(['other.ts'])
})
