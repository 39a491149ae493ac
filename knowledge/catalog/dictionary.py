"""What records have in common, for compression: deflate finds there what a record by itself does not repeat.

Terms that are frequent in public repositories of several languages, the most frequent last, where a reference
costs least; then the frame of a record. A record can be read with the very dictionary only with which it
was written: whoever changes it raises the version of the schema.
"""

from __future__ import annotations

_TERMS = """
basestemmereqsblbasestemmeris basestemmerfindamongblbasestemmeralamongi assertraisesmessage
testassertrewrite basestemmerslicefromlbasestemmers deprecationwarning overridesettings
machinelearningmap checkrandomstate imagecomparison templatetests buildenvironment testdataarray
testdataset fittransform printfunction monkeypatch testbackends assertalmostequal importerror
modelselection decomposit sampleweight timedelta dimension traceback copyright polynomi backward
attributeerror ncomponents directori preprocess registri assertraises categori filterwarn gaussian
assertallclose equival linspac simplifi autodoc getitem represent startswith complex product partial
interval classif configur assertarrayalmostequal respons typedops generic dictionari correspond
notimplementederror parallel mpltoolkits toolkit captur distanc consid boolean repres algorithm descript
section perform packag internal member unicod unittest matric definit height handler window inform
factor compar jqueri reshap metric ndarray prototyp system solver environ combin wrapper depend constant
integr linearmodel display staticmethod access alreadi accept subclass reduc determin global comparison
otherwis event author reason builder lower decor scalar extract signatur explicit alway visit joblib
binari allclos evalu union inherit pyplot regist entri annot either score assertidentical helper inlin
compon verbos classifi common cursor standard dummi center enumer whether connect fnmatchlines extens
bound detail possibl project header callabl almost licens learn fnmatch frame predict sinc grid admin
multi special quantiti physic github close main datetim follow overrid assertarrayequal auto contrib
instead classmethod filenam yield vector last hasattr need offset alpha patch futur weight found parser
render full continu mask view width writer sequenc fill correct sort count second ensur assign templat
filter root store includ local runpytest initi date compat level nfeatures break replac report translat
queri express content disabl process typeerror mode indic provid split getattr document slice mpl color
exist simpl locat left keyword minifi subplot sourc multipl stdout cach show singl fig meta without
dimens com relat direct parent right spars stemmer custom encod checker build makepyfil scale nsamples
appli arang end origin manag poli open deprec regress estim allow context form request load two defin
handl specifi imag repr app style expr limit 100 work find https normal select min fixtur pars extern
basic column linear randomstate write refer ident start mean sys empti mixin integ differ lambda html
info figur plt oper current convert ext chang docstr miss actual read comput note foo instanc skip group
issu updat log point target user domain symbol dataarray obj tabl run fail super setup collect generat
version zero matrix coord plot attr coordin posit given support invalid contain js cls length featur
remov id search axi join requir output axe map match valid throw undefined println public private static
final void char bool interfac struct extend implement import export const let var async await promis nil
err func ctx order copi testdir config sampl parametr elif dim io label numpi tupl assertequal ignor
element size field random input dtype iter first src modul unit attribut state float print python max
item doc rang time messag param properti transform append backend text variabl shape see number new
expect dataset argument creat py make key code case tri dict path file node kwarg warn isinst call fit
valueerror non format string index 10 line int one option len exampl except method add mark util core
result model paramet default pass equal list arg lib check init base object str els use type rais array
set np fals get data name error valu true function class none assert return test self def
"""
_FRAME = """
["symbol:",".py::","","def (self,""["module:","","["section:","#","[],[],null]","imports","inherits","tests","
calls","self.","blake2b:","implementation","current",["component:api","component:storage","issue:performance","
component:cli"],0.{"documented":0.0,"finished":1.0,"named":0.583333,"simple":1.0,"sized":1.0,"typed":0.0},[],
[["calls","],["calls","
"""
DICTIONARY = (" ".join(_TERMS.split()) + "".join(_FRAME.split("\n"))).encode()
