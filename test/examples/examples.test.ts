import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { describe, expect, inject, it, onTestFinished } from 'vitest'
import { shellWord } from '../../src/model/text.ts'
import { SUMMARY } from '../adapters/ai-sdk/world.ts'
import { full } from '../support/full.ts'
import { exampleOutput, ROOT } from './example-output.ts'

/** The output of an example in a process of its own, as the user starts it. */
function outputOf(command: string, file: string): string {
  const env = { ...process.env, NO_COLOR: '1' }
  return spawnSync(command, [resolve(ROOT, 'examples', file)], { cwd: ROOT, env, encoding: 'utf8' }).stdout
}

/** A copy that starts the program as it ships, which takes a third of the time. */
function withShippedProgram(file: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'pith-example-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const text = readFileSync(join(ROOT, 'examples', file), 'utf8')
  const shipped = text.replace(
    /^pith=\(.*\) # in your shell: /m,
    () => `pith=(${shellWord(process.execPath)} ${shellWord(inject('program'))}) # `,
  )
  expect(shipped).not.toBe(text)
  writeFileSync(join(folder, file), shipped)
  return join(folder, file)
}

function numbersAfter(text: string, words: string): number[] {
  return [...text.matchAll(new RegExp(`${words}\\D*(\\d+)`, 'g'))].map((match) => Number(match[1]))
}

describe('the examples', () => {
  it('are numbered from 01 to 09', () => {
    const files = readdirSync(join(ROOT, 'examples'))
      .filter((file) => /\.(ts|sh)$/.test(file))
      .toSorted()
    expect(files.map((file) => file.slice(0, 3))).toEqual([
      '01-',
      '02-',
      '03-',
      '04-',
      '05-',
      '06-',
      '07-',
      '08-',
      '09-',
    ])
  })

  it('01 fits a prompt', async () => {
    const file = '01-fit-a-prompt.ts'
    const text = full ? outputOf(process.execPath, file) : (await exampleOutput(file)).text
    expect(text).toContain('fit: true')
    expect(text).toMatch(/^system user/m)
  })

  it('02 keeps an agent of the AI SDK inside the window', async () => {
    const pages = full ? 30 : 15
    const { text, violations, summaries } = await exampleOutput('02-ai-sdk-agent.ts', pages)
    expect(text).toMatch(/compacted by (?:cold|warm): \d+ → \d+ tokens/)
    expect(text).toContain(`${pages + 1} steps: All pages are read.`)
    expect(violations).toEqual([])
    expect(summaries).toBeGreaterThan(0)
  })

  it('03 keeps the log in a file, with undo', async () => {
    const { text } = await exampleOutput('03-own-store.ts')
    expect(text).toContain('compacted: ')
    expect(text).toContain('byte for byte: true')
  })

  it('04 asks a summariser that is a few lines of fetch', async () => {
    const { text, summaries, violations } = await exampleOutput('04-own-summariser.ts', 0, 16_000)
    expect(text).toContain('by my/model')
    expect(text).toContain(SUMMARY)
    expect(summaries).toBe(1)
    expect(violations).toEqual([])
  })

  it('05 cuts only at places that its rule allows', async () => {
    const { text } = await exampleOutput('05-own-cut-rule.ts')
    expect(text).toMatch(/with the rule the tail starts at: +Begin release/)
    expect(text).not.toMatch(/without the rule the tail starts at: Begin release/)
  })

  it('06 has its own facts in the record', async () => {
    const { text } = await exampleOutput('06-own-index-extractor.ts')
    expect(text).toContain('files modified: 30')
    expect(numbersAfter(text, 'the record names')[0]).toBeGreaterThan(20)
    expect(text).toContain('report-0.html: true')
  })

  it('07 reports the compaction before the answer', async () => {
    // The summariser reads it at once: progress in chunks is not what the example shows.
    const { text, violations } = await exampleOutput('07-streaming-progress.ts', 0, 200_000)
    expect(text).toMatch(/Compacting \d+ messages[\s\S]*✓ \d+ → \d+ tokens[\s\S]*\n/)
    expect(violations).toEqual([])
  })

  it('09 has the reports of sub-agents in the context, and recalls the rest', async () => {
    const { text } = await exampleOutput('09-sub-agents.ts')
    const [most = 0] = numbersAfter(text, 'no sub-agent had more than')
    expect(most).toBeGreaterThan(0)
    expect(most).toBeLessThan(8_000)
    expect(text).toContain('after: worker waits for the lock of the pool in page-7.ts.')
    expect(numbersAfter(text, 'the agent has').every((tokens) => tokens < 500)).toBe(true)
    expect(text).toContain('worker#15 (tool)\n[Tool result]: // page-7.ts of worker')
  })

  const curl = spawnSync('curl', ['--version']).status === 0 && spawnSync('bash', ['--version']).status === 0
  if (!curl) console.warn('08 is left out: it needs bash and curl, and this machine has not both')
  it.runIf(curl)('08 serves, and is used from curl', () => {
    const text = outputOf('bash', full ? '08-serve-and-curl.sh' : withShippedProgram('08-serve-and-curl.sh'))
    const [before = 0] = numbersAfter(text, 'tokens before')
    const [after = 0] = numbersAfter(text, 'tokens after:')
    expect(text).toContain('outcome: compacted')
    expect(after).toBeGreaterThan(0)
    expect(after).toBeLessThan(before)
    expect(numbersAfter(text, 'tokens after undo')[0]).toBe(before)
  })
})
