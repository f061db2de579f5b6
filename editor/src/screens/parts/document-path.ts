export { documentPath } from '../../data/document-path.ts'
