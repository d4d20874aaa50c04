import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { counted } from '../../../engine/report/numbers.ts'
import { PithError } from '../../../model/problems/errors.ts'
import { changeKept } from '../../memory/kept-memory.ts'
import { note, print } from '../../output/show.ts'
import { forgetRows, withBuilt } from './show-memory.ts'

const HEAD = `# Lines that begin with + are yours: change them, add more, or delete them.
# A line of the memory that you delete here is forgotten. Everything else comes from your sessions and cannot be changed.
`

/** Lets the user change the memory in an editor. */
export async function editMemory(): Promise<void> {
  const editor = process.env.VISUAL || process.env.EDITOR
  if (!editor)
    throw new PithError(
      'bad-argument',
      'no editor is set: set EDITOR, or use pith memory pin and pith memory forgetRows',
    )
  await withBuilt(({ page, kept }, project, setup) => {
    const rows = page.rows.map(({ text, pinned }) => (pinned === undefined ? `- ${text}` : `+ ${pinned}`))
    const edited = editedText(editor, `${HEAD}\n${rows.join('\n')}\n`)
      .split('\n')
      .map((line) => line.trim())
    const gone = page.rows.filter(({ pinned }, i) => pinned === undefined && !edited.includes(rows[i]?.trim() ?? ''))
    const wanted = edited.flatMap((line) => /^\+\s+(\S.*)$/.exec(line)?.[1] ?? [])
    const before = new Map(kept.changes.pinned.map((pin) => [pin.text, pin]))
    forgetRows(setup, project, gone)
    changeKept(setup.folders.data, project, (now) => ({
      ...now,
      changes: { ...now.changes, pinned: wanted.map((text) => before.get(text) ?? { text, at: Date.now() }) },
    }))
    print(`${counted(wanted.length, 'line')} of your own in the memory of ${project.name}`)
    if (gone.length > 0) note(`${counted(gone.length, 'line')} forgotten`)
  })
}

function editedText(editor: string, text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'pith-memory-'))
  const file = join(folder, 'memory.md')
  try {
    writeFileSync(file, text, { mode: 0o600 })
    const [program = '', ...args] = editor.split(/\s+/)
    const { status, error } = spawnSync(program, [...args, file], { stdio: 'inherit' })
    if (error !== undefined || status !== 0)
      throw new PithError('not-allowed', `${program} did not end well, so nothing was changed`)
    return readFileSync(file, 'utf8')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
