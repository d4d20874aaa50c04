import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Peer, PeerName } from './peer.ts'

export type LoadedPeer = { readonly ok: true; readonly peer: Peer } | { readonly ok: false; readonly reason: string }

/** Loads a peer, and installs it first if needed. If that fails, the reason can be shown in a row. */
export async function loadPeer(name: PeerName): Promise<LoadedPeer> {
  const failure = installed()
  if (failure !== undefined) return { ok: false, reason: failure }
  try {
    // Not a literal path, so that the checks of this repository pass without the peers.
    const path = pathToFileURL(join(BENCH, 'peers', `${name}.ts`)).href
    const { peer } = (await import(path)) as { peer: Peer }
    return { ok: true, peer }
  } catch (error) {
    return { ok: false, reason: `${name} could not be loaded: ${firstLine(error)}` }
  }
}

const BENCH = join(import.meta.dirname, '..')

let tried: { readonly failure?: string } | undefined

function installed(): string | undefined {
  tried ??= install()
  return tried.failure
}

function install(): { readonly failure?: string } {
  const stamp = join(BENCH, 'node_modules', '.pith-bench')
  const wanted = createHash('sha256')
    .update(readFileSync(join(BENCH, 'package-lock.json')))
    .digest('hex')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return {}
  console.error('bench: installing the peers (once, about a minute)…')
  const flags = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  const { status, stderr, error } = spawnSync('npm', flags, { cwd: BENCH, encoding: 'utf8' })
  if (status !== 0) return { failure: `the peers could not be installed: ${error?.message ?? firstLine(stderr)}` }
  writeFileSync(stamp, wanted)
  return {}
}

function firstLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  return text.split('\n').find((line) => line.trim() !== '') ?? 'no reason given'
}
