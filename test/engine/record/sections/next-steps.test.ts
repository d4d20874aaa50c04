import { expect, it } from 'vitest'
import { knownIndex } from '../../../../src/engine/extract/known-index.ts'
import { fitBlocks, pricedBlocks } from '../../../../src/engine/record/sections/fit-blocks.ts'
import { nextStepBlocks } from '../../../../src/engine/record/sections/next-steps.ts'
import { HEADING } from '../../../../src/engine/record/sections/section-titles.ts'
import { emptyIndex } from '../../../../src/model/facts/log-index.ts'
import type { Index } from '../../../../src/model/types.ts'

function linesUnder(heading: string, index: Partial<Index>): readonly string[] {
  const blocks = nextStepBlocks(knownIndex({ ...emptyIndex, ...index }))
  const fitted = fitBlocks(
    pricedBlocks(blocks, (text) => text.length),
    20_000,
  )
  return [...fitted].find(([block]) => block.heading === heading)?.[1].slice(1) ?? []
}
const ran = (command: string, seq: number, ok?: boolean) => ({
  command,
  seq,
  runs: 1,
  ...(ok === undefined ? {} : { ok }),
})

it('commands that did something are listed letter for letter, those of a kind first, none that failed or only looked', () => {
  const commands = [
    ran('psql -h db.local -d app -c "select 1"', 3, true),
    ran('pnpm --filter api dev &', 2, true),
    ran('git push', 4),
    ran('ls -la', 5, true),
    ran('docker ps', 6, false),
    ran('npm test', 7, true),
  ]
  expect(linesUnder(HEADING.commands, { commands })).toEqual([
    '- push: `git push` (#4, its end is not known)',
    '- run: `pnpm --filter api dev &` ok (#2)',
    '- `psql -h db.local -d app -c "select 1"` ok (#3)',
  ])
})

it('a failure that was overcome is listed once, with its outcome; one that is open is listed elsewhere', () => {
  const errors = [
    { text: 'boom', seq: 2, command: 'go test ./a' },
    { text: 'TS2304', seq: 4, command: 'npx tsc' },
    { text: 'TS2305', seq: 6, command: 'npx tsc' },
    { text: 'boom', seq: 9, command: 'node run.js' },
  ]
  const commands = [ran('go vet ./...; go test ./...', 3, true), ran('npx tsc', 8, true)]
  expect(linesUnder(HEADING.failed, { errors, commands })).toEqual([
    '- #6 `npx tsc`: TS2305 → passed later (#8)',
    '- #2 `go test ./a`: boom → `go vet ./...; go test ./...` passed (#3)',
  ])
})

it("a failure that is no longer open is listed with the agent's remark on it and the command that was run next", () => {
  const errors = [
    {
      text: "error: unexpected argument '--into'",
      seq: 2,
      command: 'cd /projects/app && lease add --into x',
      said: [{ seq: 3, text: 'The flag is called `--to` here.' }],
    },
    { text: 'please give one action at a time', seq: 6, command: 'sed -n 1p a' },
    { text: 'please give one action at a time', seq: 8, command: 'sed -n 2p a' },
    { text: 'Command aborted', seq: 9, command: 'sleep 5' },
  ]
  const commands = [ran('lease add --to x', 4), ran('node serve.js', 90, true)]
  expect(linesUnder(HEADING.failed, { errors, commands })).toEqual([
    '- #8 `sed -n 2p a`: please give one action at a time',
    "- #2 `lease add --into x`: error: unexpected argument '--into' “The flag is called `--to` here.” → then `lease add --to x` (#4)",
  ])
})

it('of the addresses of one host some are enough', () => {
  const identifiers = Array.from({ length: 9 }, (_, i) => ({
    kind: 'url' as const,
    text: `https://code.test/issues/${i}`,
    seq: i + 1,
  }))
  expect(linesUnder(HEADING.addresses, { identifiers })[0]?.split(', ')).toHaveLength(4)
})

it('addresses are urls, ports, issues and hashes that were said twice; no examples, passing ports and parts of ids', () => {
  const identifiers = [
    { kind: 'url' as const, text: 'http://localhost:3000/health', seq: 9 },
    { kind: 'url' as const, text: 'https://example.com/x', seq: 10 },
    { kind: 'hash' as const, text: 'abc1234', seq: 3, times: 2 },
    { kind: 'hash' as const, text: 'def5678', seq: 8 },
    { kind: 'hash' as const, text: '6c0a282a', seq: 8, times: 9 },
    { kind: 'port' as const, text: '3000', seq: 9 },
    { kind: 'port' as const, text: '56487', seq: 9 },
  ]
  const commands = [ran('ls /tmp/6c0a282a-886f-458d-a426-93d95104b4a6', 4, true)]
  expect(linesUnder(HEADING.addresses, { identifiers, commands })).toEqual(['abc1234, http://localhost:3000/health'])
})
