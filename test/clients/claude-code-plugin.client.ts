import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { expect, inject, it, onTestFinished } from 'vitest'
import { bundleClaudeCode } from '../../scripts/bundle-plugins.mjs'
import { claudeCode } from './agents/claude-code.ts'
import { turn } from './asked.ts'
import type { Client } from './client.ts'
import { clientWorld } from './client-world.ts'

const SUMMARY = '<analysis>Birds.</analysis><summary>We worked on birds for a while.</summary>'
const RECALL = 'mcp__plugin_pith_pith__recall'

it('after /compact the next request has what the summary forgot, and recall gives it back', async () => {
  const { folder, bin, data } = await plugin()
  const { model, place } = await clientWorld(({ turn: number, tools, results, isSummary }) => {
    if (isSummary) return { text: SUMMARY }
    if (tools.length === 0) return { text: 'Aside.' }
    if (number === 1 && results < 1)
      return { text: 'Step.', calls: [claudeCode.calls.write(join(data, 'heron.txt'), 'x')] }
    const asked = [
      { name: 'ToolSearch', input: { query: `select:${RECALL}` } },
      { name: RECALL, input: { handles: '#1' } },
    ][results]
    return number === 3 && asked !== undefined ? { text: 'Looking.', calls: [asked] } : { text: 'Answer.' }
  })
  const running = place(withPlugin({ folder, bin, data }))
  const session = () => ({ id: running.sessions()[0]?.id ?? '', file: running.sessions()[0]?.path ?? '' })

  await running.start(turn(1, 'Write about the heron of the lake.\nNever push anything.'))
  await running.resume(session(), turn(2, 'Go on with the reeds.'))
  await running.resume(session(), '/compact')
  const last = await running.resume(session(), turn(3, 'And now?'))

  expect(last, last.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining('Answer.') })
  const summarising = model.asked.find(({ isSummary }) => isSummary)
  expect(summarising?.messages.at(-1)).toContain('Name every file that was changed')
  const [next, , answered] = model.asked.filter((asked) => asked.turn === 3).map(({ messages }) => messages.join('\n'))
  expect(next).toContain('We worked on birds for a while.')
  expect(next).toContain('Pith compared the summary above')
  expect(next).toMatch(/The user demanded:\\n- #1 Never push anything\./)
  expect(next).toMatch(/Changed files: \S*heron\.txt \(#\d+\)/)
  expect(answered).toMatch(/tool_result.{0,600}Write about the heron of the lake\.\\nNever push anything\./)
  expect(readdirSync(data).toSorted()).toEqual(['additions', 'heron.txt'])
})

it('after an automatic compaction in the middle of a turn the request after the next tools has it', async () => {
  const { folder, bin, data } = await plugin()
  let steps = 0
  const { model, place } = await clientWorld(({ tools, isSummary }) => {
    if (isSummary) return { text: SUMMARY }
    if (tools.length === 0 || steps >= 8) return { text: 'Answer.' }
    steps++
    const write = claudeCode.calls.write(join(data, `heron${steps}.txt`), 'reeds '.repeat(2_000))
    return { text: `Step ${steps}.`, tokens: steps === 4 ? 99_000 : 30_000, calls: [write] }
  })
  const running = place(withPlugin({ folder, bin, data }, { CLAUDE_CODE_AUTO_COMPACT_WINDOW: '100000' }))

  const ran = await running.start(turn(1, 'Never push anything. Write about the heron of the lake.'))

  expect(ran, ran.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining('Answer.') })
  const at = model.asked.findIndex(({ isSummary }) => isSummary)
  expect(at).toBeGreaterThan(0)
  const behind = model.asked.slice(at + 1).map(({ messages }) => messages.join('\n'))
  expect(behind[0]).toContain('We worked on birds for a while.')
  expect(behind[1]).toContain('Pith compared the summary above')
  expect(behind[1]).toContain('heron1.txt (#')
  const parts = behind.at(-1)?.split('Pith compared the summary above').length
  expect(parts).toBe(2)
})

type Plugin = { readonly folder: string; readonly bin: string; readonly data: string }

/** The plug-in as it ships, `pith` on the path, and a folder for Pith's own files. */
async function plugin(): Promise<Plugin> {
  const root = mkdtempSync(join(tmpdir(), 'pith-plugin-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true, maxRetries: 5 }))
  const [folder, bin, data] = [join(root, 'plugin'), join(root, 'bin'), join(root, 'data')]
  await bundleClaudeCode(folder)
  for (const each of [bin, data]) mkdirSync(each)
  writeFileSync(join(bin, 'pith'), `#!/bin/sh\nexec '${process.execPath}' '${inject('program')}' "$@"\n`)
  chmodSync(join(bin, 'pith'), 0o755)
  return { folder, bin, data }
}

function withPlugin({ folder, bin, data }: Plugin, env: Readonly<Record<string, string>> = {}): Client {
  const flags = ['--plugin-dir', folder]
  const PATH = [bin, dirname(process.execPath), process.env.PATH].join(delimiter)
  return {
    ...claudeCode,
    setUp: (place) => ({ ...claudeCode.setUp(place), PATH, PITH_HOME: data, ...env }),
    start: (prompt, place) => [...claudeCode.start(prompt, place), ...flags],
    resume: (session, prompt, place) => [...claudeCode.resume(session, prompt, place), ...flags],
  }
}
