import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { boundedRipgrep } from './bounded-ripgrep.ts'

const MOST = 20
const KEPT_MS = 10_000
const LONGEST_MS = 20_000

/** Finds files of a workspace by a part of their path. Files in `.gitignore` are left out. */
export class WorkspaceFiles {
  readonly #workspace: string
  #known: { readonly at: number; readonly paths: Promise<readonly string[]> } | undefined

  constructor(workspace: string) {
    this.#workspace = workspace
  }

  async find(query: string): Promise<readonly string[]> {
    const now = Date.now()
    if (this.#known === undefined || now - this.#known.at > KEPT_MS) {
      this.#known = { at: now, paths: listFiles(this.#workspace) }
    }
    const wanted = query.toLowerCase()
    const paths = (await this.#known.paths).filter((path) => path.toLowerCase().includes(wanted))
    return paths.toSorted((a, b) => rank(a, wanted) - rank(b, wanted) || a.length - b.length).slice(0, MOST)
  }
}

/** Sorts by the kind of match: people type the beginning of a file's name more often than a part of its folder. */
function rank(path: string, wanted: string): number {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase()
  return name.startsWith(wanted) ? 0 : name.includes(wanted) ? 1 : 2
}

async function listFiles(workspace: string): Promise<readonly string[]> {
  try {
    const { file, args } = boundedRipgrep(['--files'])
    const limits = { maxBuffer: 64_000_000, timeout: LONGEST_MS, killSignal: 'SIGKILL' } as const
    const { stdout } = await promisify(execFile)(file, args, { cwd: workspace, ...limits })
    return stdout.split('\n').filter((path) => path !== '')
  } catch {
    return []
  }
}
