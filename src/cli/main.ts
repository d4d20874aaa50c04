#!/usr/bin/env node
import { demo } from './commands/demo.ts'

await demo((line) => process.stdout.write(`${line}\n`))
