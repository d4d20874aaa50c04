import { existsSync, readFileSync } from 'node:fs'
import { cpus, platform, release, totalmem } from 'node:os'
import { join } from 'node:path'

export type MachineFacts = {
  readonly processor: string
  readonly cores: number
  readonly memoryGb: number
  readonly system: string
  readonly node: string
  readonly pith: string
  /** The versions of the peers that are installed. */
  readonly peers: Readonly<Record<string, string>>
}

/** The machine and the versions that a benchmark ran on: a number says little without them. */
export function machineFacts(): MachineFacts {
  const bench = join(import.meta.dirname, '..')
  const all = cpus()
  return {
    processor: all[0]?.model.trim() ?? 'unknown processor',
    cores: all.length,
    memoryGb: Math.round(totalmem() / 2 ** 30),
    system: `${platform()} ${release().split('-')[0]}`,
    node: process.versions.node,
    pith: versionIn(join(bench, '..')) ?? '?',
    peers: peerVersions(bench),
  }
}

function peerVersions(bench: string): Record<string, string> {
  const { dependencies } = packageIn(bench)
  const found = Object.keys(dependencies).map((name) => [name, versionIn(join(bench, 'node_modules', name))] as const)
  return Object.fromEntries(found.filter((pair): pair is [string, string] => pair[1] !== undefined))
}

function versionIn(folder: string): string | undefined {
  return packageIn(folder).version
}

function packageIn(folder: string): { version?: string; dependencies: Record<string, string> } {
  const path = join(folder, 'package.json')
  return { dependencies: {}, ...(existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {}) }
}
