import { createReadStream, globSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { decode } from '../../src/formats/index.ts'

const FOLDER = process.env.PITH_TRANSCRIPTS

it('every prompt of every session in the folder PITH_TRANSCRIPTS reached the log', async ({ skip }) => {
  if (FOLDER === undefined) return skip('PITH_TRANSCRIPTS names no folder of sessions')
  const files = globSync('**/*.{json,jsonl,traj}', { cwd: FOLDER })
  expect(files).not.toEqual([])
  const missing: string[] = []
  let [sessions, typed, left] = [0, 0, 0]
  for (const file of files) {
    const read = await decode(createReadStream(join(FOLDER, file), 'utf8'))
    if (!read.ok || read.session.prompts === undefined) continue
    sessions++
    typed += read.session.prompts.typed
    left += read.session.prompts.left.length
    missing.push(...read.session.prompts.missing.map(({ line, text }) => `${file}:${line} ${text.slice(0, 80)}`))
  }
  console.info(`${typed} prompts in ${sessions} of ${files.length} files, ${left} on branches that were left`)
  expect(missing).toEqual([])
}, 600_000)
