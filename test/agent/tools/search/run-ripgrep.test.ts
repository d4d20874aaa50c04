import { execFileSync } from 'node:child_process'
import { closeSync, constants, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { runRipgrep } from '../../../../src/agent/tools/search/search.ts'

/** A busy machine starts programs late. */
const WAIT = { timeout: 20_000 }

it('an interrupted search does not continue in the background', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pith-search-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const pipe = join(folder, 'pipe')
  execFileSync('mkfifo', [pipe])
  const stop = new AbortController()
  const search = runRipgrep({ args: ['x', './pipe'], folder, signal: stop.signal, onLine: () => true })
  // That works as soon as somebody reads it.
  const writer = await vi.waitFor(() => openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK), WAIT)
  onTestFinished(() => closeSync(writer))
  stop.abort()
  expect(await search).toMatchObject({ end: 'aborted', errors: [] })
  await vi.waitFor(() => expect(() => writeSync(writer, 'y')).toThrow('EPIPE'), WAIT)
})
