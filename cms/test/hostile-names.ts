import { picture } from './file-bytes.ts'
import type { HostileFile } from './hostile-file.ts'

const NAMES: readonly (readonly [title: string, sent: string, name: string | RegExp])[] = [
  ['folders above', '../../../etc/passwd.png', 'passwd'],
  ['folders of Windows', 'C:\\Windows\\..\\system32\\x.png', 'x'],
  ['a NUL', 'photo\0.php.png', 'photo-php'],
  ['4,000 characters', `${'a'.repeat(4_000)}.png`, 'a'.repeat(100)],
  ['4,000 characters of four bytes', `${'𝒳'.repeat(4_000)}.png`, /^.{1,200}$/u],
  ['a line break', 'photo\r\nSet-Cookie: a=b.png', 'photoset-cookie-a-b'],
  ['writing turned around', 'photo\u202egnp.exe.png', 'photognp-exe'],
  ['a device of Windows', 'CON.png', 'file-con'],
  ['only dots', '....png', 'file'],
  ['nothing', '', 'file'],
  ['only an extension', '.png', 'file'],
  ['quotes and brackets', '"><script>alert(1)</script>.png', 'script'],
  ['half a character', 'photo\ud800.png', 'photo'],
  ['names of prototypes', '__proto__.png', 'proto'],
  ['a program before the extension', 'shell.php.png', 'shell-php'],
  ['percent signs', '%2e%2e%2fphoto.png', '2e-2e-2fphoto'],
]

/** Names that would leave their folder, break a header or mislead a reader. */
export const HOSTILE_NAMES: readonly HostileFile[] = NAMES.map(([title, sent, name]) => ({
  title: `a name with ${title}`,
  name: sent,
  bytes: () => picture().png().toBuffer(),
  expect: 'safe',
  is: { extension: 'png', ...(typeof name === 'string' && { name }) },
}))
