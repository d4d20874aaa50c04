import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import type { TestProject } from 'vitest/node'
import type { Client, ClientName } from './client.ts'
import { CLIENTS } from './clients.ts'

/** An agent that was installed, or the reason why it was not. */
export type InstalledClient = { readonly program: string; readonly version: string } | { readonly problem: string }

declare module 'vitest' {
  interface ProvidedContext {
    installed: Record<ClientName, InstalledClient>
  }
}

/** A folder with agents that are installed already, so that none is fetched: `PITH_AGENTS=/opt/agents npm run test:clients`. */
const VARIABLE = 'PITH_AGENTS'

/** Installs every agent before the tests, prints the versions, and removes what was installed afterwards. */
export default function setup(project: TestProject): () => void {
  const given = process.env[VARIABLE]
  const folder = given ?? mkdtempSync(join(tmpdir(), 'pith-agents-'))
  const home = mkdtempSync(join(tmpdir(), 'pith-agents-home-'))
  const entries = CLIENTS.map((client) => {
    const installed = given === undefined ? fetched(client, folder, home) : found(client, folder, home)
    console.log(`${client.name}: ${'problem' in installed ? installed.problem : installed.version}`)
    return [client.name, installed] as const
  })
  project.provide('installed', Object.fromEntries(entries) as Record<ClientName, InstalledClient>)
  return () => {
    rmSync(home, { recursive: true, force: true })
    if (given === undefined) rmSync(folder, { recursive: true, force: true })
  }
}

/** Each agent has a folder of its own, so that one that does not install leaves the others alone. */
function fetched(client: Client, folder: string, home: string): InstalledClient {
  const own = join(folder, client.name)
  mkdirSync(own)
  writeFileSync(join(own, 'package.json'), '{"private":true}')
  try {
    const args = ['install', '--no-audit', '--no-fund', '--loglevel=error', `${client.package}@${client.version}`]
    run('npm', args, { cwd: own, home: process.env.HOME ?? home })
  } catch (error) {
    return { problem: `${client.package}@${client.version} does not install: ${reason(error)}` }
  }
  return found(client, own, home)
}

function found(client: Client, folder: string, home: string): InstalledClient {
  const program = join(folder, 'node_modules', '.bin', client.program)
  if (!existsSync(program)) return { problem: `there is no ${program}: install ${client.package}@${client.version}` }
  try {
    const version = /\d+\.\d+\.\d+/.exec(run(program, ['--version'], { cwd: home, home }))?.[0]
    return version === undefined ? { problem: `${program} says no version` } : { program, version }
  } catch (error) {
    return { problem: `${client.program} does not start: ${reason(error)}` }
  }
}

function run(program: string, args: readonly string[], { cwd, home }: { cwd: string; home: string }): string {
  const PATH = [dirname(process.execPath), process.env.PATH].join(delimiter)
  return execFileSync(program, args, {
    cwd,
    env: { ...process.env, PATH, HOME: home },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 300_000,
  })
}

function reason(error: unknown): string {
  const text = error instanceof Error && 'stderr' in error ? String(error.stderr || error.message) : String(error)
  return text.trim().split('\n').slice(0, 3).join(' ')
}
