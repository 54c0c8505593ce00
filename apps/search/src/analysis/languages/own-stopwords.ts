const words = (text: string): readonly string[] => text.trim().split(/\s+/u)

/** Short lists of our own for languages of which the Snowball project has none: pronouns, conjunctions, prepositions and forms of being. */
export const bengali = words(`
  অথচ অথবা অনেক আছে আপনি আমরা আমার আমি আর এ এই এক একটি এখন এখানে এটা এবং ও ওই ওরা কথা করা করে কি কিছু কিন্তু কে কেন কোন চেয়ে ছিল জন্য তবে তা
  তাই তার তারা তাদের তিনি তুমি তো থেকে দিয়ে না নয় নেই পরে প্রতি বা বলে মধ্যে যখন যদি যা যারা যে যেন সব সঙ্গে সাথে সে সেই হবে হয় হয়ে হলে`)

export const brazilian = words(`
  a à ao aos aquela aquele aqueles as às até com como da das de dela dele deles depois do dos e é ela elas ele eles em entre era essa esse esta este
  eu foi for há isso isto já lhe mais mas me mesmo meu minha muito na nas não nem no nos nós o os ou para pela pelas pelo pelos por qual quando que
  quem se sem ser seu seus são só sua suas também te tem um uma você vocês`)

export const czech = words(`
  a aby ale ani asi až bez bude by byl byla bylo být co či do ho i já jak jako je jeho jej její jejich jen ještě ji již jsem jsme jsou k kde kdo když
  která které který ke mezi na nad nebo než ni o od ona oni ono pak po pod podle pro proto protože před při s se si své svůj ta tak také tato
  tedy ten tento to tu ty u v ve však vy z za ze že`)

export const estonian = words(`
  aga alles ega ehk ei et ette iga ikka ise ja jah ju just ka kas keda kes kui kuid kuidas kus ma meie mida midagi milles mina mind minu mis miks
  mitte mu mul mulle muu nad nagu need neid nende nii ning olema oled oleme olen oli olid oma on pole sa samuti see seda selle sellest siin siis sina sinu
  ta talle te teda teie tema temale veel vaid või üks üle`)

export const latvian = words(`
  aiz ap ar arī bet bez bija bijis būs būt caur dēļ es gan gar ir ja jau jo ka kad kas katrs ko kopš kur kurš kā lai līdz man mans mēs mūsu ne nav no
  nu pa par pat pie pirms pret priekš pēc savs starp tad tajā tam tas te tie tiek tika to tomēr tur tā tāds uz un vai vairs vēl viņa viņi viņš zem`)

export const persian = words(`
  از است اگر اما این آن آنها او با باید بر برای بود بودن به بی تا چه چون خود در را شد شده شود که ما من می نیز نمی ها های هر هم همه هیچ و ولی وی یا
  یک تو شما ایشان پس پیش روی زیر بین اند ای کرد کردن کند کرده دارد داشت`)
