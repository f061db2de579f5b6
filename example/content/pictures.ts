/** The pictures of the folder `pictures`, with their words in both languages. */
export const pictures = [
  {
    file: 'river-at-dawn',
    title: 'River at dawn',
    alt: 'A pale river winds between blue hills; the sun is about to rise.',
    french: {
      title: 'Rivière à l’aube',
      alt: 'Une rivière pâle serpente entre des collines bleues, avant le lever du soleil.',
    },
  },
  {
    file: 'night-over-the-hills',
    title: 'Night over the hills',
    alt: 'The moon and many stars above dark hills.',
    french: { title: 'Nuit sur les collines', alt: 'La lune et beaucoup d’étoiles au-dessus de collines sombres.' },
  },
  {
    file: 'old-town',
    title: 'Old town',
    alt: 'A row of tall, narrow houses in warm colours.',
    french: { title: 'Vieille ville', alt: 'Une rangée de maisons hautes et étroites aux couleurs chaudes.' },
  },
  {
    file: 'wild-garden',
    title: 'Wild garden',
    alt: 'Flowers of all colours in a meadow.',
    french: { title: 'Jardin sauvage', alt: 'Des fleurs de toutes les couleurs dans un pré.' },
  },
  {
    file: 'kitchen-table',
    title: 'Kitchen table',
    alt: 'Three fruits on a plate, and a blue jug.',
    french: { title: 'Table de cuisine', alt: 'Trois fruits sur une assiette, et une cruche bleue.' },
  },
  {
    file: 'bread-on-the-ferry',
    title: 'Bread on the ferry',
    alt: 'A red ferry with its ferryman and a sack of bread, in the morning sun.',
    french: {
      title: 'Du pain sur le bac',
      alt: 'Un bac rouge avec son passeur et un sac de pain, dans le soleil du matin.',
    },
  },
  {
    file: 'lamps-on-the-quay',
    title: 'Lamps on the quay',
    alt: 'Five lit street lamps on a quay, mirrored in the water; dark houses behind.',
    french: {
      title: 'Les réverbères du quai',
      alt: 'Cinq réverbères allumés sur un quai, reflétés dans l’eau ; des maisons sombres derrière.',
    },
  },
  {
    file: 'robin-and-lamp',
    title: 'A robin and its lamp',
    alt: 'A robin sings on a street lamp above a city at night.',
    french: {
      title: 'Un rouge-gorge et sa lampe',
      alt: 'Un rouge-gorge chante sur un réverbère au-dessus d’une ville, la nuit.',
    },
  },
  {
    file: 'the-night-bus',
    title: 'The night bus',
    alt: 'A red bus with lit windows and four passengers, under the moon.',
    french: {
      title: 'Le bus de nuit',
      alt: 'Un bus rouge aux fenêtres éclairées, avec quatre passagers, sous la lune.',
    },
  },
  {
    file: 'paper-boat-at-the-weir',
    title: 'Paper boat at the weir',
    alt: 'A paper boat below a small waterfall, with reeds and green hills.',
    french: {
      title: 'Bateau de papier au barrage',
      alt: 'Un bateau de papier sous une petite chute d’eau, des roseaux et des collines vertes.',
    },
  },
  {
    file: 'chair-and-tree',
    title: 'A chair and its tree',
    alt: 'A wooden chair beside the tree that it might have come from.',
    french: {
      title: 'Une chaise et son arbre',
      alt: 'Une chaise en bois près de l’arbre dont elle pourrait venir.',
    },
  },
  {
    file: 'soup-under-the-lamp',
    title: 'Soup under the lamp',
    alt: 'A steaming bowl of soup under a hanging lamp, with three onions.',
    french: {
      title: 'La soupe sous la lampe',
      alt: 'Un bol de soupe fumante sous une suspension, avec trois oignons.',
    },
  },
  {
    file: 'birds-from-a-book',
    title: 'Birds from a book',
    alt: 'Birds fly from the pages of an open book towards an evening sun.',
    french: {
      title: 'Les oiseaux du livre',
      alt: 'Des oiseaux s’envolent des pages d’un livre ouvert vers le soleil du soir.',
    },
  },
  {
    file: 'a-square-metre',
    title: 'A square metre',
    alt: 'A magnifying glass over a meadow; in it grass and a ladybird.',
    french: {
      title: 'Un mètre carré',
      alt: 'Une loupe au-dessus d’un pré ; dedans, de l’herbe et une coccinelle.',
    },
  },
  {
    file: 'names-of-apples',
    title: 'The names of apples',
    alt: 'Apple trees full of red and yellow apples, and a ladder.',
    french: {
      title: 'Le nom des pommes',
      alt: 'Des pommiers chargés de pommes rouges et jaunes, et une échelle.',
    },
  },
  {
    file: 'jars-and-ledger',
    title: 'Jars and a ledger',
    alt: 'Jars of preserves with the years 1961 to 2026, on a shelf and a table by a window.',
    french: {
      title: 'Des bocaux et un registre',
      alt: 'Des bocaux datés de 1961 à 2026, sur une étagère et une table près d’une fenêtre.',
    },
  },
  {
    file: 'mud-and-curlews',
    title: 'Mud and curlews',
    alt: 'Low tide: a boat lies in the mud, three curlews walk beside a stream.',
    french: {
      title: 'La vase et les courlis',
      alt: 'Marée basse : une barque dans la vase, trois courlis au bord d’un filet d’eau.',
    },
  },
] as const
