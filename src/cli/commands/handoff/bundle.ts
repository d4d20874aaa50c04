import { closeSync, createReadStream, existsSync, openSync, readSync, statSync } from 'node:fs'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { gzipSync } from 'node:zlib'
import { PithHttpError, pithClient } from '../../../client/pith-client.ts'
import type { AgentFile } from '../../../formats/index.ts'
import { PithError } from '../../../model/problems/errors.ts'
import { printable } from '../../../model/text.ts'
import { serverOf } from '../../../tui/remote/remote-port.ts'
import { writeNew } from '../../output/write-session.ts'
import { decodedSource, type SessionSource } from '../../sessions/session-source.ts'
import type { Setup } from '../../setup/setup.ts'

/**
 * Writes a bundle: our own export, compressed. Compressed, no command takes it for a session of this user: only `--open` reads
 * it, and knows that it is somebody else's.
 */
export function writeBundle(file: string, { text, place }: AgentFile): string {
  return writeNew(file, { place, text: gzipSync(text) })
}

/** Stores a session on a server and returns a link that shows it, and when the link ends. */
export async function storeOnServer(
  text: string,
  { server: address, token, expires }: { readonly server: string; readonly token?: string; readonly expires?: number },
): Promise<{ readonly link: string; readonly expires: string }> {
  const server = serverOf(address, token ?? process.env.PITH_TOKEN)
  return asked(server.url, async () => {
    const client = pithClient(server)
    const { session } = await client.importSession({ body: text })
    const hours = expires === undefined ? undefined : expires / 3_600_000
    const made = await client.makeLink({ id: session.id, body: hours === undefined ? {} : { hours } })
    return { link: `${server.url.replace(/\/+$/, '')}${made.path}`, expires: made.expires }
  })
}

/** Reads what a colleague handed over: a bundle, a link to a session on a server, or a session file of any agent. */
export async function openBundle(what: string, setup: Setup): Promise<SessionSource> {
  const link = /^(https?:\/\/[^#\s]+?)\/*#share=([\w-]+)$/.exec(what)
  if (link !== null) return linkSource(link[1] ?? '', link[2] ?? '', setup)
  if (/^https?:/.test(what))
    throw new PithError('bad-argument', 'this is not a link to a session: it ends with /#share= and a secret')
  const bytes = Readable.toWeb(createReadStream(what)) as ReadableStream<Uint8Array>
  const plain = isCompressed(what) ? bytes.pipeThrough(new DecompressionStream('gzip')) : bytes
  return decodedSource(printable(what), limited(textIn(plain)), setup)
}

async function linkSource(url: string, secret: string, setup: Setup): Promise<SessionSource> {
  return asked(url, async () => {
    const client = pithClient({ url, token: secret })
    const { session } = await client.whoami()
    if (session === undefined) throw new PithError('bad-argument', 'this link shows no session')
    return decodedSource(url, [await client.exportSession({ id: session })], setup)
  })
}

/** A refusal of the server, or why it cannot be reached, as one line. */
async function asked<T>(url: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof PithHttpError)
      throw new PithError(
        'not-allowed',
        error.status === 401
          ? `the server at ${url} refuses: the link or the token has ended, or was never valid`
          : `the server at ${url} refuses: ${error.message}`,
      )
    if (error instanceof TypeError || error instanceof SyntaxError)
      throw new PithError('bad-argument', `no Pith server answers at ${url}: check the address, and that it runs`)
    throw error
  }
}

/** Refuses a bundle where a session of the user's own is expected, and says how it is opened. */
export function refuseBundle(what: string): void {
  if (existsSync(what) && statSync(what).isFile() && isCompressed(what))
    throw new PithError('bad-argument', `${printable(what)} is a bundle: open it with --open instead of as a session`)
}

function isCompressed(file: string): boolean {
  try {
    const handle = openSync(file, 'r')
    const start = Buffer.alloc(2)
    readSync(handle, start)
    closeSync(handle)
    return start.equals(GZIP)
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    throw new PithError('bad-argument', `${printable(file)} ${isMissing ? 'is not there' : 'is not a file to read'}`)
  }
}

const GZIP = Buffer.from([0x1f, 0x8b])

async function* textIn(bytes: ReadableStream<Uint8Array>): AsyncIterable<string> {
  yield* bytes.pipeThrough(new TextDecoderStream())
}

/** A few bytes can be made to expand without an end. */
async function* limited(pieces: AsyncIterable<string>): AsyncIterable<string> {
  let length = 0
  for await (const piece of pieces) {
    length += piece.length
    if (length > MOST_CHARACTERS) throw new Error('it is larger than 512 MB')
    yield piece
  }
}

const MOST_CHARACTERS = 512 * 1024 * 1024
