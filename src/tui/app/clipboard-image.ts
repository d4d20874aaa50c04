import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Programs that print the image of the clipboard, in the order in which they are tried. */
const PROGRAMS: readonly (readonly [program: string, ...args: string[]])[] = [
  ['wl-paste', '--no-newline', '--type', 'image/png'],
  ['xclip', '-selection', 'clipboard', '-t', 'image/png', '-o'],
  ['pngpaste', '-'],
  // It prints the bytes as hexadecimal digits: «data PNGf89504E47…».
  ['osascript', '-e', 'get the clipboard as «class PNGf»'],
]

export const NO_CLIPBOARD_PROGRAM =
  'Images of the clipboard need wl-paste (wl-clipboard), xclip, pngpaste or osascript: none of them is installed'
export const NO_CLIPBOARD_IMAGE = 'The clipboard has no image'

/** The file that the image of the clipboard was written to, or why there is none. It is deleted when the process ends. */
export async function clipboardImage(
  env: NodeJS.ProcessEnv,
): Promise<{ readonly path: string } | { readonly why: string }> {
  let isInstalled = false
  for (const [program, ...args] of PROGRAMS) {
    const output = await outputOf(program, args, env)
    if (output === undefined) continue
    isInstalled = true
    const image = pngIn(output)
    if (image !== undefined) return { path: kept(image) }
  }
  return { why: isInstalled ? NO_CLIPBOARD_IMAGE : NO_CLIPBOARD_PROGRAM }
}

const LIMITS = { encoding: 'buffer', timeout: 5_000, maxBuffer: 20_000_000 } as const

/** The output of a program; empty if it failed, undefined if it is not installed. */
function outputOf(program: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<Buffer | undefined> {
  return new Promise((resolve) => {
    execFile(program, args, { ...LIMITS, env }, (error, stdout) => {
      const isMissing = error !== null && 'code' in error && error.code === 'ENOENT'
      resolve(isMissing ? undefined : error === null ? stdout : Buffer.alloc(0))
    })
  })
}

const PNG_START = Buffer.from('89504e470d0a1a0a', 'hex')

function pngIn(output: Buffer): Buffer | undefined {
  const [, digits] =
    /^«data PNGf([0-9A-F]+)»/.exec(output.subarray(0, 20).includes('PNGf') ? output.toString() : '') ?? []
  const image = digits === undefined ? output : Buffer.from(digits, 'hex')
  return image.subarray(0, PNG_START.length).equals(PNG_START) ? image : undefined
}

function kept(image: Buffer): string {
  // Only the user can read the folder.
  const folder = mkdtempSync(join(tmpdir(), 'pith-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'clipboard.png')
  writeFileSync(path, image)
  return path
}
