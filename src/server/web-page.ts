import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Context, Hono } from 'hono'
import type { RequestEnv } from './http/http-error.ts'

/** The types of the files that a build of the web inspector has. */
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

type WebFile = {
  readonly body: Uint8Array<ArrayBuffer>
  readonly gzip?: Uint8Array<ArrayBuffer>
  readonly type: string
}

const MISSING = 'The web inspector is not built: run npm run build, then start pith serve again.\n'

/** Serves the built web inspector. Its files are read when the server starts, so that no path of a request reaches the disk. */
export function webPage(app: Hono<RequestEnv>, folder: string | undefined): void {
  const files = folder === undefined ? new Map<string, WebFile>() : filesIn(folder)
  for (const [path, file] of files) app.get(path, (context) => answer(context, path, file))
  const docs = files.get('/docs.html')
  if (docs !== undefined) app.get('/docs', (context) => answer(context, '/docs', docs))
  const index = files.get('/index.html')
  app.get('/', (context) => {
    context.set('route', '/')
    return index === undefined ? context.text(MISSING) : answer(context, '/', index)
  })
}

function answer(context: Context<RequestEnv>, path: string, { body, gzip, type }: WebFile): Response {
  context.set('route', '/')
  const packed = gzip !== undefined && (context.req.header('accept-encoding') ?? '').includes('gzip')
  // The name of a built asset changes with its content.
  const isFixed = path.startsWith('/assets/')
  return context.body(packed ? gzip : body, 200, {
    'content-type': type,
    vary: 'accept-encoding',
    'cache-control': isFixed ? 'public, max-age=31536000, immutable' : 'no-cache',
    ...(packed ? { 'content-encoding': 'gzip' } : {}),
  })
}

function filesIn(folder: string): Map<string, WebFile> {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
  return new Map(
    names
      .filter((entry) => entry.isFile())
      .map((entry) => {
        const file = join(entry.parentPath, entry.name)
        return [`/${file.slice(folder.length + 1).replaceAll('\\', '/')}`, fileAt(file)]
      }),
  )
}

function fileAt(file: string): WebFile {
  const type = TYPES[extname(file)] ?? 'application/octet-stream'
  const body = new Uint8Array(readFileSync(file))
  const isText = /^text|svg/.test(type)
  return isText ? { body, gzip: new Uint8Array(gzipSync(body, { level: 9 })), type } : { body, type }
}
