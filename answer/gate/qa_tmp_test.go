package gate
import ("testing";"bufio";"os";"encoding/json";"strings";"muniment/snapshot/record";"fmt")
func TestQATmp(t *testing.T){
 f,_:=os.Open("/work/shared/data/qa/questions.jsonl"); sc:=bufio.NewScanner(f); sc.Buffer(nil,1<<20)
 type Q struct{Question,Paper string; Answerable bool}
 var qs []Q
 for sc.Scan(){var q Q; json.Unmarshal(sc.Bytes(),&q); qs=append(qs,q)}
 for _,mode:=range []string{"none","named","dated"} {
  by:=map[string]int{}; rules:=map[string]int{}; 
  for _,q:=range qs {
   var fa Facts
   if mode!="none" { n:=q.Paper[3:len(q.Paper)-7]; fa.Subject=record.Subject{Name:strings.ReplaceAll(n,"_"," ")} }
   if mode=="dated" { fa.CoversTo="2018-06-01" }
   d:=Category(q.Question,fa)
   if d.Action!=Proceed { by[string(d.Action)+" "+d.Category]++; rules[d.Rule]++; if os.Getenv("SHOW")!="" { fmt.Println(mode,d.Rule,d.Lookup,"|",q.Paper,"|",q.Question)} }
  }
  t.Log(mode,len(qs),by); t.Log(rules)
 }
}
