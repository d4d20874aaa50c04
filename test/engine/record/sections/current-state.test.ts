import { expect, it } from 'vitest'
import { knownIndex } from '../../../../src/engine/extract/known-index.ts'
import { stateBlocks } from '../../../../src/engine/record/sections/current-state.ts'
import { fitBlocks, pricedBlocks } from '../../../../src/engine/record/sections/fit-blocks.ts'
import { HEADING } from '../../../../src/engine/record/sections/section-titles.ts'
import { emptyIndex } from '../../../../src/model/facts/log-index.ts'
import type { Index } from '../../../../src/model/types.ts'

function linesUnder(heading: string, index: Partial<Index>): readonly string[] {
  const blocks = stateBlocks(knownIndex({ ...emptyIndex, ...index }), (text) => text)
  const fitted = fitBlocks(
    pricedBlocks(blocks, (text) => text.length),
    20_000,
  )
  return [...fitted].find(([block]) => block.heading === heading)?.[1].slice(1) ?? []
}
const ran = (command: string, seq: number, ok: boolean) => ({ command, seq, runs: 1, ok })

it('the newest check of each kind comes first, then other checks, each by its last run', () => {
  const commands = [
    ran('npm test -- unit', 2, true),
    ran('npm test -- e2e', 4, false),
    ran('npm run build', 3, true),
    ran('cd app && npm test -- e2e | tail -5', 6, true),
  ]
  expect(linesUnder(HEADING.checks, { commands })).toEqual([
    '- tests `cd app && npm test -- e2e | tail -5` passed (#6)',
    '- build `npm run build` passed (#3)',
    '- tests `npm test -- unit` passed (#2)',
  ])
})

it('a check that failed several times fails once, as it did last, without remarks', () => {
  const errors = [
    { text: 'Error: closed', seq: 3, command: 'npx playwright test a.spec.ts 2>&1 | tail -50' },
    { text: 'Error: closed again', seq: 5, command: '# once more\nnpx playwright test a.spec.ts 2>&1 | tail -80' },
  ]
  expect(linesUnder(HEADING.failing, { errors })).toEqual([
    '- #5 `npx playwright test a.spec.ts 2>&1 | tail -80`: Error: closed again',
  ])
})

it('a failure has what the agent said to it, unless the narrative has it', () => {
  const said = [{ seq: 4, text: 'The port is still taken by the old server.' }]
  const errors = [{ text: 'EADDRINUSE', seq: 3, command: 'npm start', said }]
  const lastLine = (narrative: string) => {
    const blocks = stateBlocks(knownIndex({ ...emptyIndex, errors }), (text) => text, narrative)
    return [
      ...fitBlocks(
        pricedBlocks(blocks, (text) => text.length),
        20_000,
      ).values(),
    ]
      .flat()
      .at(-1)
  }
  expect(lastLine('')).toBe('- #3 `npm start`: EADDRINUSE “The port is still taken by the old server.”')
  expect(lastLine('- #4 The port is still taken by the old server.')).toBe('- #3 `npm start`: EADDRINUSE')
})
