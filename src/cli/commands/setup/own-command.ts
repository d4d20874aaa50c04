import { realpathSync } from 'node:fs'
import { programPath } from '../../../config/places/program-path.ts'
import type { SetupWorld } from './setup-agent.ts'

/**
 * `pith`, where that is this very program; else this Node with this file. npm and npx put a folder of their own on the path
 * for one command: an agent that is started later does not find `pith` there.
 */
export function ownCommand(main: string, path: string): SetupWorld['pith'] {
  const named = programPath('pith', path)
  const isThis = named !== undefined && !OF_NPM.test(named) && realpathSync(named) === realpathSync(main)
  return isThis ? { command: 'pith', args: [] } : { command: process.execPath, args: [main] }
}

const OF_NPM = /[/\\]node_modules[/\\]\.bin[/\\][^/\\]+$/
