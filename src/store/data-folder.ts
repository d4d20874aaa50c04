export { dataFolder } from '../config/folders.ts'
