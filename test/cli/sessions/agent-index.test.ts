import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { AgentIndex } from '../../../src/cli/sessions/agent-index.ts'
import { configFolders } from '../../support/config-folders.ts'

it('an interrupted update keeps the files that it has read, and the next one continues', async () => {
  const { home, userFile } = configFolders()
  onTestFinished(() => void vi.unstubAllEnvs())
  vi.stubEnv('HOME', home)
  vi.stubEnv('CLAUDE_CONFIG_DIR', join(home, '.claude'))
  for (const id of ['aaaa', 'bbbb', 'cccc']) {
    const file = join(home, '.claude/projects/-x', `${id}0000-1111-4222-8333-444455556666.jsonl`)
    const message = { role: 'user', content: 'The heron' }
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, `${JSON.stringify({ uuid: id, parentUuid: null, type: 'user', sessionId: id, message })}\n`)
  }
  const progress: string[] = []
  const stop = new AbortController()
  const first = new AgentIndex(dirname(userFile))
  const update = first.update({ signal: stop.signal, progress: (done) => done === 2 && stop.abort() })
  await expect(update).rejects.toThrow()
  await first.close()
  const next = new AgentIndex(dirname(userFile))
  const note = (done: number, all: number) => progress.push(`${done} of ${all}`)
  await next.update({ signal: new AbortController().signal, progress: note })
  expect(progress).toEqual(['0 of 1', '1 of 1'])
  await next.update({ signal: new AbortController().signal, progress: note })
  expect(progress).toHaveLength(2)
  await next.close()
})
