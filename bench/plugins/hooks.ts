import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { bundleClaudeCode } from '../../scripts/bundle-plugins.mjs'
import { randomOf } from '../../src/eval/random.ts'
import { HookFiles } from '../../src/plugins/hooks/hook-files.ts'
import type { Bench } from '../harness/bench.ts'
import { contestant, race } from '../harness/timing.ts'
import { lines } from '../speed/made-up-text.ts'

const MEGABYTES = 5
const GOAL = 3
const SESSION = 'bench'

/** Measures how long an agent waits for each hook. */
export const hooks: Bench = {
  name: 'plugins/hooks',
  what: 'How long Claude Code waits for each hook of the plug-in as it ships, at a session of 5 MB, beside the start of a bare Node in the same run; and how long the check in the background takes.',
  run: async ({ quick, scratch }) => {
    const [folder, data, empty] = [join(scratch, 'plugin'), join(scratch, 'data'), join(scratch, 'empty.cjs')]
    await bundleClaudeCode(folder)
    mkdirSync(data, { recursive: true })
    writeFileSync(empty, '')
    const transcript = join(scratch, 'session.jsonl')
    writeFileSync(transcript, session())
    const input = JSON.stringify({ session_id: SESSION, transcript_path: transcript, compact_summary: SUMMARY })
    const env = { ...process.env, PITH_HOME: data, CLAUDE_CODE_SESSION_ID: SESSION }
    const run = (program: string, args: readonly string[]) => () => void spawnSync(program, args, { input, env })
    const hook = (event: string) => run(process.execPath, [join(folder, 'hook.cjs'), event])
    const files = new HookFiles(data, SESSION)
    const ready = () => {
      files.finish(files.begin({ transcript, summary: SUMMARY }), { text: 'x'.repeat(5_000), tokens: 1_400, facts: 40 })
    }
    const idle = () => rmSync(join(data, 'additions'), { recursive: true, force: true })
    const timed = await race(
      [
        contestant({ name: 'bare Node', prepare: idle, run: run(process.execPath, [empty]) }),
        contestant({ name: 'PreCompact', prepare: idle, run: hook('PreCompact') }),
        contestant({ name: 'PostCompact', prepare: idle, run: hook('PostCompact'), after: () => settled(data) }),
        contestant({ name: 'a prompt after a compaction', prepare: ready, run: hook('UserPromptSubmit') }),
        contestant({
          name: 'any other prompt',
          prepare: idle,
          run: run('sh', [join(folder, 'tell.sh'), 'UserPromptSubmit']),
        }),
        contestant({ name: 'status line', prepare: ready, run: hook('StatusLine') }),
        contestant({
          name: 'the check in the background',
          prepare: () => files.begin({ transcript, summary: SUMMARY }),
          run: run(process.execPath, [join(folder, 'prepare.mjs'), SESSION]),
        }),
      ],
      { rounds: quick ? 5 : 21 },
    )
    const bare = timed[0]?.ms ?? Number.NaN
    const rows = timed.map(({ name, ms }) => [name, ms, ms / bare])
    const slow = timed.slice(0, -1).filter(({ ms }) => ms > GOAL * bare)
    const verdict = slow.length === 0 ? 'Met' : `Missed by ${slow.map(({ name }) => name).join(', ')}`
    return {
      tables: [{ title: 'Milliseconds, medians', columns: ['hook', 'ms', 'times a bare Node'], rows }],
      notes: [
        `${verdict}: no hook takes longer than ${GOAL} × the start of a bare Node. Load of the machine: ${loadavg()[0]?.toFixed(1)}.`,
        'The hook after a compaction only starts the check; the next prompt, or the next round of tools, shows its result. A prompt that comes before the check has ended waits for it, up to 3 seconds after the compaction.',
      ],
    }
  },
}

const SUMMARY = 'The work continued for a while, and nothing of it is described here.'

/** Waits until the check that a hook started has ended, so that it does not run at the same time as the next contestant. */
function settled(data: string): void {
  const file = join(data, 'additions', SESSION)
  for (let tries = 0; tries < 200 && !existsSync(`${file}.json`); tries++) spawnSync('sleep', ['0.05'])
}

/** A session of Claude Code that ends with a compaction. */
function session(): string {
  const random = randomOf(7)
  const rows: string[] = []
  let size = 0
  let parent: string | null = null
  const add = (row: object) => {
    const uuid = `u${rows.length}`
    const at = { sessionId: SESSION, timestamp: '2026-01-01T00:00:00.000Z', isSidechain: false, cwd: '/projects' }
    rows.push(JSON.stringify({ parentUuid: parent, uuid, ...at, ...row }))
    size += rows.at(-1)?.length ?? 0
    parent = uuid
  }
  for (let i = 0; size < MEGABYTES * 1_000_000; i++) {
    const id = `t${i}`
    const file = {
      file_path: `/projects/src/f${i % 40}.ts`,
      old_string: lines(random, 3),
      new_string: lines(random, 3),
    }
    const call = i % 3 === 0 ? { name: 'Edit', input: file } : { name: 'Bash', input: { command: `npm test -- t${i}` } }
    if (i % 20 === 0) add({ type: 'user', message: { role: 'user', content: `Message ${i}: ${lines(random, 2)}` } })
    add({
      type: 'assistant',
      message: { id: `m${i}`, role: 'assistant', content: [{ type: 'tool_use', id, ...call }] },
    })
    const content = [{ type: 'tool_result', tool_use_id: id, content: lines(random, 30) }]
    add({ type: 'user', message: { role: 'user', content } })
  }
  add({ type: 'system', subtype: 'compact_boundary', compactMetadata: { trigger: 'auto', preTokens: 150_000 } })
  add({ type: 'user', isCompactSummary: true, message: { role: 'user', content: SUMMARY } })
  return rows.join('\n')
}
