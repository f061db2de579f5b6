import sharp from 'sharp'
import type { Prose } from './prose.ts'

const WIDTH = 1200
const HEIGHT = 800

/** A JPEG of hills under a sky, in colours of its own. */
export function paint(chance: Prose): Promise<Buffer> {
  const hue = chance.number(360)
  const hills = Array.from({ length: 4 }, (_, index) =>
    hill(chance, 360 + index * 100, `hsl(${hue} 35% ${55 - index * 12}%)`),
  )
  const sun = `<circle cx="${100 + chance.number(1000)}" cy="${90 + chance.number(160)}" r="55" fill="#fff3cf"/>`
  const sky = `<rect width="${WIDTH}" height="${HEIGHT}" fill="hsl(${(hue + 150) % 360} 55% 80%)"/>`
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}">${sky}${sun}${hills.join('')}</svg>`
  return sharp(Buffer.from(drawing)).jpeg({ quality: 75 }).toBuffer()
}

function hill(chance: Prose, height: number, color: string): string {
  const at = () => height + chance.number(140)
  return `<path d="M0 ${at()} C 300 ${at()} 500 ${at()} 700 ${at()} S 1000 ${at()} ${WIDTH} ${at()} V ${HEIGHT} H 0 Z" fill="${color}"/>`
}
