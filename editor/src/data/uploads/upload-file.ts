import { upload } from 'quire-client/media'
import type { Editor } from '../editor.ts'
import type { SendFile } from './uploads.ts'

/** Sends files as whom the editor was started by. Rejects with a `QuireError`. */
export function sendFileOf({ client }: Pick<Editor, 'client'>): SendFile {
  return async (file, options) => ({ ...(await upload(client, file, options)) })
}
